import TrendyDomain

/// Finds the records that the feed shows beneath a parent which is not here, and that are gone with it.
///
/// Servers assign places before they commit, so that the deletion of a parent can stand before a child that was made, or
/// moved there, while it was under way. Where a server does not log what goes with a parent, no later entry names that
/// child. So the server is asked for the few that are beneath no parent.
struct LostChildReader {
    let cycle: SyncCycle

    /// Those entries of a page, by their places in the feed, whose records have gone with a parent.
    ///
    /// - Parameter overtaken: Entries that are not applied anyway.
    func lost(in page: ChangeFeedResponse, except overtaken: Set<Int64>) async throws -> Set<Int64> {
        var lost: Set<Int64> = []
        var gone: [RecordKey: Bool] = [:]
        for orphan in try orphans(in: page, except: overtaken) {
            // One question tells for all children of a parent that is only unknown here.
            if !orphan.parentIsDeleted, try await !isGone(orphan.parent, &gone) { continue }
            if try await isGone(RecordKey(orphan.entry), &gone) { lost.insert(orphan.entry.id) }
        }
        return lost
    }

    private struct Orphan {
        var entry: ChangeEntry
        var parent: RecordKey
        /// Whether the page itself says that the parent was deleted.
        var parentIsDeleted: Bool
    }

    /// The entries that show a record beneath a parent which is not here by then.
    private func orphans(in page: ChangeFeedResponse, except overtaken: Set<Int64>) throws -> [Orphan] {
        try cycle.read { store in
            let window = try FeedWindow.stored(in: store)
            let held = try store.idsPutAside()
            let entries = page.changes.sorted { $0.id < $1.id }.filter { entry in
                let isRead = window.contains(entry.id) && !held.contains(QuarantinedChange.id(of: entry))
                return !isRead && !window.hasLater(than: entry) && !overtaken.contains(entry.id)
            }
            var orphans: [Orphan] = []
            var here: [RecordKey: Bool] = [:]
            var shown: [RecordKey: Bool] = [:]
            for entry in entries {
                let missing = try cycle.schema.requiredParents(of: entry).first { parent in
                    try !(shown[parent] ?? isHere(parent, &here, store))
                }
                if let missing, isUsable(entry) {
                    orphans.append(Orphan(entry: entry, parent: missing, parentIsDeleted: shown[missing] == false))
                }
                // What waits aside and still cannot be used shows nothing.
                if held.contains(QuarantinedChange.id(of: entry)), !isUsable(entry) { continue }
                shown[RecordKey(entry)] = entry.operation != .delete
            }
            return orphans
        }
    }

    /// What cannot be used is put aside, whatever became of its record.
    private func isUsable(_ entry: ChangeEntry) -> Bool {
        cycle.schema.type(for: entry.entityType).map { entry.isUsable(as: $0) } ?? false
    }

    /// Whether a record is here, or was until it was deleted here: then what others put beneath it is known to go.
    private func isHere(
        _ key: RecordKey, _ known: inout [RecordKey: Bool], _ store: any DataStoreProtocol
    ) throws -> Bool {
        if let answer = known[key] { return answer }
        guard let type = cycle.schema.type(for: key.entityType) else { return true }
        let deletions = MutationQuery(
            states: [.queued, .sending, .parked], entityType: key.entityType, operations: [.delete],
            entityId: key.entityId)
        let answer = try store.contains(type, key.entityId) || store.countMutations(deletions) > 0
        known[key] = answer
        return answer
    }

    private func isGone(_ key: RecordKey, _ known: inout [RecordKey: Bool]) async throws -> Bool {
        if let answer = known[key] { return answer }
        guard let type = cycle.schema.type(for: key.entityType) else { return false }
        let answer = try await cycle.isGone(type, key.entityId)
        known[key] = answer
        return answer
    }
}

extension DataStoreProtocol {
    fileprivate func contains<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try find(type, id: id) != nil
    }
}

extension EntitySchema {
    /// The parents that the record of an entry cannot be without.
    func requiredParents(of entry: ChangeEntry) -> [RecordKey] {
        guard entry.operation != .delete, let fields = entry.data?.objectValue, let type = type(for: entry.entityType)
        else { return [] }
        return type.parents.filter { $0.onDelete == .cascade }.compactMap { reference in
            fields[reference.field]?.stringValue.map { RecordKey(entityType: reference.entityType, entityId: $0) }
        }
    }
}
