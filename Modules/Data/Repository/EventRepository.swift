import GRDB
public import TrendyDomain

/// Reads events from the store in SQLite for people to see.
///
/// Each read has a connection of its own: it never waits for a unit of work that writes, and sees what
/// has been saved. Counting and sorting happen in the database; only what is asked for is loaded.
///
/// A text is searched for whatever its case, in every script.
public struct EventRepository: EventRepositoryProtocol {
    private let store: LocalStoreFactory

    /// Makes a repository of the events in a store.
    public init(store: LocalStoreFactory) {
        self.store = store
    }

    /// The events that match, in the filter's order.
    @concurrent
    public func fetch(matching filter: EventFilter) async throws -> [LocalRecord<Event>] {
        var records: [LocalRecord<Event>] = []
        try forEachEvent(matching: filter) { records.append($0) }
        return records
    }

    /// How many events match, whatever the filter's limit.
    @concurrent
    public func count(matching filter: EventFilter) async throws -> Int {
        let query = EventSQL.count(filter)
        return try store.pool.read { database in
            try Int.fetchOne(query.statement(database)) ?? 0
        }
    }

    /// How many matching events each type has, by the type's id.
    @concurrent
    public func countsByType(matching filter: EventFilter) async throws -> [String: Int] {
        let query = EventSQL.countsByType(filter)
        return try store.pool.read { database in
            let rows = try Row.fetchCursor(query.statement(database))
            var counts: [String: Int] = [:]
            while let row = try rows.next() {
                if let type = StoredId.text(row[0]) { counts[type] = row[1] }
            }
            return counts
        }
    }

    /// The ids of the events whose id ends with this text, in order; at most `limit`.
    @concurrent
    public func ids(endingWith suffix: String, limit: Int) async throws -> [String] {
        try StoreReader(store: store).ids(of: .event, endingWith: suffix, limit: limit)
    }

    /// Hands over the events that match one by one, in the filter's order, in constant memory.
    ///
    /// All come from one state of the store, whatever is saved meanwhile. The body must not take long
    /// over each: while the read lasts, the store's log of changes grows.
    ///
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachEvent(
        matching filter: EventFilter, _ body: (LocalRecord<Event>) throws -> Void
    ) throws {
        let table = try store.tables.table(of: Event.entityType)
        let query = EventSQL.fetch(filter, from: table)
        try walk { database, calls in
            try table.forEachRecord(Event.self, query.statement(database)) { record in
                try calls.make { try body(record) }
            }
        }
    }

    /// Which of these external ids an event has already.
    ///
    /// - Throws: ``StoreError``.
    public func existingExternalIds(among ids: some Collection<String>) throws(StoreError) -> Set<String> {
        let list = try LocalStore.jsonList(ids)
        return try store.pool.read { database in
            let sql = "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM event WHERE external_id = value)"
            return try String.fetchSet(database.prepared(sql, [list]))
        }
    }

    /// Reads with a connection of the pool, and calls a body of somebody else's, which may end the walk.
    ///
    /// - Throws: ``StoreError``, or what the body throws.
    func walk(_ read: (Database, _ calls: BodyCalls) throws -> Void) throws {
        let calls = BodyCalls()
        try store.pool.read { database in
            do { try read(database, calls) } catch is BodyCalls.Stop {}
        }
        if let failure = calls.failure { throw failure }
    }

    /// Reads with a connection of the pool.
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try store.pool.read(body)
    }

    /// Which of these ids an event has.
    ///
    /// - Throws: ``StoreError``.
    public func existingIds(among ids: some Collection<String>) throws(StoreError) -> Set<String> {
        let list = try LocalStore.jsonList(ids)
        return try store.pool.read { database in
            let sql = "SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM event WHERE id = trendy_id(value))"
            return try String.fetchSet(database.prepared(sql, [list]))
        }
    }
}

/// Calls of a body while the store is used: what that throws is its own affair, and must not come out as an error of
/// the store.
final class BodyCalls {
    struct Stop: Error {}

    private(set) var failure: (any Error)?

    func make(_ call: () throws -> Void) throws {
        do { try call() } catch {
            failure = error
            throw Stop()
        }
    }
}

extension LocalStoreFactory {
    /// A repository of the events in this store.
    public func makeRepository() -> EventRepository {
        EventRepository(store: self)
    }
}
