import TrendyDomain

/// Something that is set aside, as JSON: every key is always there.
struct QuarantinedChangeJSON: Encodable {
    let change: QuarantinedChange

    /// Its record as people read it.
    var record: String {
        let kind = change.entry.entityType.rawValue.isEmpty ? "?" : change.entry.entityType.displayName
        return "\(kind) \(ShortId.of(change.entry.entityId))"
    }

    func encode(to encoder: any Encoder) throws {
        let entry = change.entry
        try JSONFields([
            // What was listed has no place in the feed.
            "id": change.id, "place": entry.id > 0 ? entry.id : nil, "entity_type": entry.entityType,
            "entity_id": entry.entityId, "operation": entry.operation, "data": entry.data, "reason": change.reason,
            "received_at": change.receivedAt,
        ]).encode(to: encoder)
    }
}
