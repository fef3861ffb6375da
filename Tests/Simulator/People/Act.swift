import TrendyDomain

/// Something that a person did, as the person would tell it.
struct Act {
    enum Change {
        case create(Fields)
        /// The changed fields; of one that is a map, the changed keys.
        case update(Fields)
        case delete
    }

    var device: Int
    var entityType: EntityType
    var entityId: String
    var change: Change
    /// The mutation that carries it in the device's ledger; 0 where there is nothing to send.
    var mutationId: Int64
    /// How many things the server had done by then.
    var serverHadDone: Int
    /// How far the device had read the feed by then.
    var cursor: Int64

    /// What it says of its record; nil for a deletion.
    var fields: Fields? {
        switch change {
        case .create(let fields), .update(let fields): fields
        case .delete: nil
        }
    }

    var isCreate: Bool { if case .create = change { true } else { false } }
    var isDelete: Bool { if case .delete = change { true } else { false } }
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

    private func text(_ fields: Fields) -> String {
        (try? WireCoding.encode(fields)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
