import TrendyDomain

/// Something that is set aside, as JSON: every key is always there.
struct QuarantinedChangeJSON: Encodable {
    let change: QuarantinedChange

    /// Its record as people read it.
    var record: String {
        let kind = change.entry.entityType.rawValue.isEmpty ? "?" : change.entry.entityType.displayName
        return "\(kind) \(ShortId.of(change.entry.entityId))"
    }

    private enum CodingKeys: String, CodingKey {
        case id, place, operation, data, reason
        case entityType = "entity_type"
        case entityId = "entity_id"
        case receivedAt = "received_at"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(change.id, forKey: .id)
        // What was listed has no place in the feed.
        try container.encode(change.entry.id > 0 ? change.entry.id : nil, forKey: .place)
        try container.encode(change.entry.entityType, forKey: .entityType)
        try container.encode(change.entry.entityId, forKey: .entityId)
        try container.encode(change.entry.operation, forKey: .operation)
        try container.encode(change.entry.data, forKey: .data)
        try container.encode(change.reason, forKey: .reason)
        try container.encode(change.receivedAt, forKey: .receivedAt)
    }
}
