import TrendyDomain

/// Keeps what the server has and this version cannot use, as it came: one change of each record, within bounds.
///
/// It is made for one unit of work, and reads but once what is there already.
final class QuarantineShelf {
    private let store: any DataStoreProtocol
    private let configuration: SyncConfiguration
    private let now: Timestamp
    /// How many bytes each change has that waits aside, by the document's id; nil until that is needed.
    private var sizes: [String: Int]?
    /// The sum of them.
    private var size = 0

    init(store: any DataStoreProtocol, configuration: SyncConfiguration, now: Timestamp) {
        self.store = store
        self.configuration = configuration
        self.now = now
    }

    /// Puts a change aside, in the place of an earlier one of its record.
    ///
    /// - Throws: `CycleStop.quarantineFull` where there is no room: then the save does not come about, so that nothing
    ///   is lost.
    func put(_ change: SyncChange, because reason: String) throws {
        let entry = ChangeEntry(
            id: change.revision, entityType: change.entityType, operation: change.deleted ? .delete : .update,
            entityId: change.entityId, data: change.record)
        let id = Self.id(of: change)
        try takeStock()
        remove(id)
        let held = sizes?.count ?? 0
        let own = try Self.size(of: entry)
        guard held < configuration.quarantineLimit, size + own <= configuration.quarantineByteLimit else {
            throw CycleStop.quarantineFull(held: held)
        }
        sizes?[id] = own
        size += own
        try store.putDocument(QuarantinedChange(id: id, entry: entry, reason: reason, receivedAt: now))
    }

    private func takeStock() throws {
        if sizes != nil { return }
        let held = try store.fetchDocuments(QuarantinedChange.self).map { ($0.id, try Self.size(of: $0.entry)) }
        sizes = Dictionary(held) { $1 }
        size = held.reduce(0) { $0 + $1.1 }
    }

    private func remove(_ id: String) {
        if let own = sizes?.removeValue(forKey: id) { size -= own }
    }

    private static func size(of entry: ChangeEntry) throws -> Int {
        try entry.data.map { try encoded($0).count } ?? 0
    }

    /// Forgets what was put aside of records of which a later version can be used.
    func forget(_ changes: [SyncChange]) throws {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return }
        for id in changes.map(Self.id) {
            remove(id)
            try store.deleteDocument(QuarantinedChange.self, id: id)
        }
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
