import TrendyDomain

/// Promise 2, for stores that are copied: a key that has left any device stands for what it said then, for ever.
final class OnePayloadChecker: PromiseChecker {
    let promise = Promise.exactlyOnce
    var followsStores: Bool { false }
    private var payloads: [String: String] = [:]

    func departed(_ exchange: Exchange, in world: World) throws {
        // By the older routes the key of a request has the base in it, and fields go along that were not changed.
        guard exchange.isSync else { return }
        for change in exchange.sent {
            guard let key = change.key else { continue }
            let before = payloads.updateValue(change.content, forKey: key)
            if let before, before != change.content {
                world.report(promise, "the key \(key) stood for \(before), and stands for \(change.content) now")
            }
        }
    }
}
