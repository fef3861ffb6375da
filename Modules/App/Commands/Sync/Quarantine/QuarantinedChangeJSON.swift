import TrendyDomain

/// Something that is set aside, as JSON: every key is always there.
struct QuarantinedChangeJSON: Encodable {
    let change: QuarantinedChange

    func encode(to encoder: any Encoder) throws {
        let entry = change.entry
        try JSONFields([
            "id": change.id, "revision": entry.id, "entity_type": entry.entityType, "entity_id": entry.entityId,
            "data": entry.data, "reason": change.reason, "received_at": change.receivedAt,
        ]).encode(to: encoder)
    }
}
