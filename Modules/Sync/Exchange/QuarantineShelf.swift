import TrendyDomain

/// Keeps what the server has and this version cannot use, as it came: one change of each record, within bounds.
struct QuarantineShelf {
    let store: any DataStoreProtocol
    let configuration: SyncConfiguration
    let now: Timestamp

    /// Puts a change aside, in the place of an earlier one of its record.
    ///
    /// - Throws: `CycleStop.quarantineFull` where there is no room: then the save does not come about, so that nothing
    ///   is lost.
    func put(_ change: SyncChange, because reason: String) throws {
        let entry = ChangeEntry(
            id: change.revision, entityType: change.entityType, operation: change.deleted ? .delete : .update,
            entityId: change.entityId, data: change.record)
        let held = try store.fetchDocuments(QuarantinedChange.self).filter { $0.id != Self.id(of: change) }
        let size = try (held.map(\.entry) + [entry]).reduce(0) { try $0 + ($1.data.map { try encoded($0).count } ?? 0) }
        guard held.count < configuration.quarantineLimit, size <= configuration.quarantineByteLimit else {
            throw CycleStop.quarantineFull(held: held.count)
        }
        try store.putDocument(
            QuarantinedChange(id: Self.id(of: change), entry: entry, reason: reason, receivedAt: now))
    }

    /// Forgets what was put aside of records of which a later version can be used.
    func forget(_ changes: [SyncChange]) throws {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return }
        for change in changes { try store.deleteDocument(QuarantinedChange.self, id: Self.id(of: change)) }
    }

    /// Forgets all that was put aside.
    func clear() throws {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return }
        for aside in try store.fetchDocuments(QuarantinedChange.self) {
            try store.deleteDocument(QuarantinedChange.self, id: aside.id)
        }
    }

    /// All that was put aside, as changes that can be tried again.
    func changes() throws -> [SyncChange] {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return [] }
        return try store.fetchDocuments(QuarantinedChange.self).map { aside in
            SyncChange(
                entityType: aside.entry.entityType, entityId: aside.entry.entityId, revision: aside.entry.id,
                record: aside.entry.data)
        }
    }

    private static func id(of change: SyncChange) -> String { "\(change.entityType)-\(change.entityId)" }
}
