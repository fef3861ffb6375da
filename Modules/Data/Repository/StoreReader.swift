import GRDB
public import TrendyDomain

/// Reads of every kind of record, the queue and the engine's memory, for programs that show them.
///
/// Each call has a connection of its own for its time: it never waits for a unit of work that writes,
/// and sees what has been saved.
public struct StoreReader: Sendable {
    private let store: LocalStoreFactory

    /// Makes a reader of a store.
    public init(store: LocalStoreFactory) {
        self.store = store
    }

    // MARK: Records

    /// The record of that id, nil where there is none.
    ///
    /// - Throws: ``StoreError``.
    public func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>? {
        try unit().find(type, id: id)
    }

    /// The records that meet the condition, by id; all of them without one.
    ///
    /// - Throws: ``StoreError``.
    public func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition? = nil
    ) throws -> [LocalRecord<Entity>] {
        try unit().fetch(type, where: condition)
    }

    /// The ids, in order, of the records whose id is, or ends with, this text, in either case; at most `limit`.
    ///
    /// Ask for one more than can be used, to hear of an ambiguous text. An empty text ends no id.
    ///
    /// - Throws: ``StoreError``.
    public func ids(of entityType: EntityType, endingWith suffix: String, limit: Int) throws(StoreError) -> [String] {
        let table = try store.tables.table(of: entityType)
        if suffix.isEmpty || limit <= 0 { return [] }
        let query = IdentifierSQL.ids(in: table, endingWith: suffix, limit: limit)
        return try store.pool.read { try $0.prepared(query.sql, query.arguments).fetchIds() }
    }

    /// The greatest ids, the greatest first; of ids that begin with their time, those made last.
    ///
    /// - Throws: ``StoreError``.
    public func newestIds(of entityType: EntityType, limit: Int) throws(StoreError) -> [String] {
        let table = try store.tables.table(of: entityType)
        return try store.pool.read {
            try $0.prepared("\(table.findIds) ORDER BY id DESC LIMIT ?1", [limit.databaseValue]).fetchIds()
        }
    }

    /// How many records of each kind there are, all counted at one moment.
    ///
    /// - Throws: ``StoreError``.
    public func counts() throws(StoreError) -> [EntityType: Int] {
        let types = store.schema.types.map { $0.entityType }
        return try store.pool.readSnapshot { database in
            var counts: [EntityType: Int] = [:]
            for type in types {
                counts[type] = try Int.fetchOne(database.prepared(store.tables.table(of: type).count)) ?? 0
            }
            return counts
        }
    }

    /// The base of a record that readers see differently; nil for any other record.
    ///
    /// - Throws: ``StoreError``.
    public func base(of entityType: EntityType, id: String) throws -> RecordBase? {
        try unit().bases(entityType, ids: [id])[id]
    }

    // MARK: Queue

    /// How many mutations are in each state; every state is listed.
    ///
    /// - Throws: ``StoreError``.
    public func mutationCounts() throws(StoreError) -> [MutationState.Name: Int] {
        try store.pool.read { database in
            var counts = Dictionary(MutationState.Name.allCases.map { ($0, 0) }, uniquingKeysWith: +)
            let rows = try Row.fetchCursor(database.prepared(StoreCounts.mutationsByState))
            while let row = try rows.next() {
                if let state = MutationState.Name(rawValue: row[0]) { counts[state] = row[1] }
            }
            return counts
        }
    }

    /// The mutations that meet the query, in the order of their ids.
    ///
    /// - Throws: ``StoreError``.
    public func mutations(_ query: MutationQuery = MutationQuery()) throws -> [PendingMutation] {
        try unit().fetchMutations(query)
    }

    /// How many mutations meet the query, whatever its limit.
    ///
    /// - Throws: ``StoreError``.
    public func countMutations(_ query: MutationQuery) throws -> Int {
        try unit().countMutations(query)
    }

    /// The mutation of that id, nil where there is none.
    ///
    /// - Throws: ``StoreError``.
    public func mutation(id: Int64) throws -> PendingMutation? {
        try unit().findMutation(id: id)
    }

    /// The unsent mutations on which the server failed, by its reason, with how many there are of each; that of the
    /// first mutation comes first.
    ///
    /// - Throws: ``StoreError``.
    public func attemptedMutations() throws(StoreError) -> [(error: String, count: Int)] {
        try store.pool.read { database in
            let rows = try Row.fetchCursor(database.prepared(MutationSQL.attempted))
            var found: [(error: String, count: Int)] = []
            while let row = try rows.next() {
                if let error = (row[0] as DatabaseValue).text { found.append((error: error, count: row[1])) }
            }
            return found
        }
    }

    // MARK: Memory of the engine

    /// The documents of a collection (conflicts, quarantined changes, history), by id.
    ///
    /// - Throws: ``StoreError``.
    public func documents<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        try unit().fetchDocuments(type)
    }

    /// How many documents a collection has.
    ///
    /// - Throws: ``StoreError``.
    public func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int {
        try unit().countDocuments(type)
    }

    /// The value that was set under that name.
    ///
    /// - Throws: ``StoreError``.
    public func metadata(_ key: String) throws -> String? {
        try unit().metadata(key)
    }

    private func unit() throws(StoreError) -> LocalStore {
        try LocalStore(pool: store.pool, tables: store.tables)
    }
}

extension LocalStoreFactory {
    /// A reader of this store.
    public func makeReader() -> StoreReader {
        StoreReader(store: self)
    }
}
