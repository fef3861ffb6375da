import TrendyDomain

/// The records that are deleted here by a change that waits, with what hangs on them: the server still has them.
///
/// Where a deletion takes children along, they have no change of their own.
struct LeavingRecords {
    let store: any DataStoreProtocol
    let schema: EntitySchema

    /// Whether a record goes from the server as soon as what waits here has been sent.
    func contains(_ key: RecordKey) throws -> Bool {
        var seen: Set<RecordKey> = []
        return try isLeaving(key, &seen)
    }

    /// Whether a record that only the server has goes with what waits here.
    func contains<Entity: SyncEntity>(_ remote: Remote<Entity>) throws -> Bool {
        var seen: Set<RecordKey> = []
        let key = RecordKey(entityType: Entity.entityType, entityId: remote.id)
        return try isLeaving(key, &seen) || hasLeavingParent(remote.entity, &seen)
    }

    private func isLeaving(_ key: RecordKey, _ seen: inout Set<RecordKey>) throws -> Bool {
        guard seen.insert(key).inserted else { return false }
        if try isDeleted(key) { return true }
        guard let type = schema.type(for: key.entityType) else { return false }
        return try wentWithParent(type, key.entityId, &seen)
    }

    private func isDeleted(_ key: RecordKey) throws -> Bool {
        let open = try store.openMutations(key.entityType, key.entityId)
        return open.last(where: { $0.operation != .update })?.operation == .delete
    }

    /// Whether a record that the server has is missing here, because its own parent was deleted.
    private func wentWithParent<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ seen: inout Set<RecordKey>
    ) throws -> Bool {
        guard !Entity.parents.isEmpty, try RecordPairs<Entity>.row(id, in: store) == nil,
            let remote = try store.findStaged(type, id: id)
        else { return false }
        return try hasLeavingParent(remote.entity, &seen)
    }

    private func hasLeavingParent<Entity: SyncEntity>(_ entity: Entity, _ seen: inout Set<RecordKey>) throws -> Bool {
        let cascading = Entity.parents.filter { $0.onDelete == .cascade }
        if cascading.isEmpty { return false }
        let fields = try StringFields.of(entity)
        return try cascading.contains { reference in
            guard let id = fields[reference.field] else { return false }
            return try isLeaving(RecordKey(entityType: reference.entityType, entityId: id), &seen)
        }
    }
}
