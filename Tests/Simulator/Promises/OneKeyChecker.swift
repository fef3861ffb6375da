import Foundation
import TrendyData
import TrendyDomain

/// Promise 2, the moment of sending: what is sent again without having been answered goes under its old key.
final class OneKeyChecker: PromiseChecker {
    let promise = Promise.exactlyOnce
    /// The key under which an edit went last, by what it says.
    private var edits: [String: String] = [:]
    /// The key under which the creation of a record went last, until the server says anything of the record.
    private var creations: [Int: [String: String]] = [:]
    /// The key under which the creation of a record went last, whatever has been said of it since.
    private var lastKeys: [Int: [String: String]] = [:]
    /// People who decide may write the same words once more, and mean it.
    private var isDeciding = false

    func departed(_ exchange: Exchange, in world: World) throws {
        guard exchange.isWrite, !isDeciding, let body = exchange.request.body else { return }
        let key = exchange.request.headers["Idempotency-Key"] ?? "none"
        let before =
            switch exchange.request.method {
            case .put: keyOfEdit(exchange, body, key)
            case .post: keyOfCreation(exchange, key, in: world)
            default: String?.none
            }
        guard let before, before != key else { return }
        world.report(
            promise, "\(exchange.sender) sends \(exchange.request) again under \(key), which had the key \(before)")
    }

    private func keyOfEdit(_ exchange: Exchange, _ body: Data, _ key: String) -> String? {
        let text = String(decoding: body, as: UTF8.self)
        // Texts that begin so occur once in a history.
        guard text.contains(#":"t"#), !text.contains(#""tea""#) else { return nil }
        return edits.updateValue(key, forKey: "\(exchange.sender.device) \(exchange.path) \(text)")
    }

    private func keyOfCreation(_ exchange: Exchange, _ key: String, in world: World) -> String? {
        var known = creations[exchange.sender.device] ?? [:]
        // What people make anew is another creation of the same record.
        let before = exchange.made.filter { !world.remade.contains($0) }.compactMap {
            known.updateValue(key, forKey: $0)
        }
        creations[exchange.sender.device] = known
        for id in exchange.made { lastKeys[exchange.sender.device, default: [:]][id] = key }
        return before.first { $0 != key }
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let text = exchange.path + String(decoding: exchange.request.body ?? .init(), as: UTF8.self)
        guard var known = creations[exchange.sender.device] else { return }
        for id in idPattern(text) {
            known[id] = nil
            // A look at one record of a batch tells of all, as does a sign-in that the server asks for.
            guard !exchange.isWrite || response.status == 401, let key = lastKeys[exchange.sender.device]?[id]
            else { continue }
            known = known.filter { $0.value != key }
        }
        creations[exchange.sender.device] = known
    }

    func healed(_ world: World) throws { isDeciding = true }
}

/// The ids of the records that a request creates.
func recordsSent(in body: Data) -> [String] {
    guard let fields = try? WireCoding.decode([String: JSONValue].self, from: body) else { return [] }
    guard case .array(let many)? = fields["events"] else { return [fields["id"]?.stringValue].compactMap(\.self) }
    return many.compactMap { $0.objectValue?["id"]?.stringValue }
}
