import TrendyDomain

/// Promise 2, for stores that are copied: a key that has left any device stands for what it said then, for ever.
final class OnePayloadChecker: PromiseChecker {
    let promise = Promise.exactlyOnce
    var followsStores: Bool { false }
    private var payloads: [String: String] = [:]
    /// What was found. It is told in the end, so that what comes of it is seen too.
    private var broken: [String] = []

    func departed(_ exchange: Exchange, in world: World) throws {
        // By the older routes the key of a request has the base in it, and fields go along that were not changed.
        guard exchange.isSync else { return }
        for change in exchange.sent {
            guard let key = change.key else { continue }
            let before = payloads.updateValue(change.content, forKey: key)
            if let before, before != change.content {
                broken.append("the key \(key) stood for \(before), and stands for \(change.content) now")
            }
        }
    }

    func healed(_ world: World) throws {
        for message in broken { world.report(promise, message) }
    }
}
