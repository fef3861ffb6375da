import TrendyDomain

/// Something that a person did, as the person would tell it.
struct Act {
    enum Change {
        case create([String: JSONValue])
        case update([String: JSONValue])
        case delete
    }

    var device: Int
    var entityType: EntityType
    var entityId: String
    var change: Change
    /// The mutation that stands for it in the device's ledger.
    var mutationId: Int64
    /// How many things the server had done by then.
    var serverHadDone: Int
    /// How far the device had read the feed by then.
    var cursor: Int64
}

extension Act: CustomStringConvertible {
    var description: String {
        let what: String =
            switch change {
            case .create(let fields): "create \(text(fields))"
            case .update(let fields): "update \(text(fields))"
            case .delete: "delete"
            }
        return "mutation \(mutationId), \(entityType) \(entityId): \(what)"
    }

    private func text(_ fields: [String: JSONValue]) -> String {
        (try? WireCoding.encode(fields)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
