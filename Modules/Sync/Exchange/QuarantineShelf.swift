import TrendyDomain

/// Keeps changes that this version cannot use, as they came: one for each record, within bounds.
///
/// It is made for one unit of work, and reads the stored changes once.
final class QuarantineShelf {
    private let store: any DataStoreProtocol
    private let configuration: SyncConfiguration
    private let now: Timestamp
    /// The size of each quarantined change in bytes, by the document's id; nil until it is needed.
    private var sizes: [String: Int]?
    /// The sum of them.
    private var size = 0

    init(store: any DataStoreProtocol, configuration: SyncConfiguration, now: Timestamp) {
        self.store = store
        self.configuration = configuration
        self.now = now
    }

    /// Puts a change into the quarantine, in the place of an earlier one of its record.
    ///
    /// - Throws: `CycleStop.quarantineFull` if there is no room. The unit of work is not saved then, so the change is
    ///   not lost.
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
        try store.putDocument(
            QuarantinedChange(
                id: id, entry: entry, createdRevision: change.createdRevision, reason: reason, receivedAt: now))
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

    /// Forgets the quarantined changes of records of which a later version can be used.
    func forget(_ changes: [SyncChange]) throws {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return }
        for id in changes.map(Self.id) {
            remove(id)
            try store.deleteDocument(QuarantinedChange.self, id: id)
        }
    }

    /// Empties the quarantine.
    func clear() throws {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return }
        for aside in try store.fetchDocuments(QuarantinedChange.self) {
            try store.deleteDocument(QuarantinedChange.self, id: aside.id)
        }
    }

    /// Makes the revisions of all of them unknown, because those of the server begin anew.
    func voidRevisions() throws {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return }
        for var aside in try store.fetchDocuments(QuarantinedChange.self) {
            (aside.entry.id, aside.createdRevision) = (0, nil)
            try store.putDocument(aside)
        }
    }

    /// The quarantined changes, to be tried again.
    func changes() throws -> [SyncChange] {
        if try store.countDocuments(QuarantinedChange.self) == 0 { return [] }
        return try store.fetchDocuments(QuarantinedChange.self).map { aside in
            SyncChange(
                entityType: aside.entry.entityType, entityId: aside.entry.entityId, revision: aside.entry.id,
                createdRevision: aside.createdRevision, record: aside.entry.data)
        }
    }

    private static func id(of change: SyncChange) -> String { "\(change.entityType)-\(change.entityId)" }
}
