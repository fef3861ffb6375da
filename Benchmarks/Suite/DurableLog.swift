import Foundation
import GRDB
import TrendyData
import TrendyDomain
import TrendySync

/// A durable local log against two raw inserts in one transaction with the same settings.
struct DurableLog {
    /// How many of each are measured, in turns, so that both see the same disk.
    let rounds = 400

    func run(in folder: URL) async throws -> Figure {
        let store = folder.appending(path: "durable/trendy.sqlite").path
        let engine = SyncEngine(networkClient: NoServer(), dataStoreFactory: LocalStoreFactory(path: store))
        let identifiers = UUIDv7Generator()
        let type = try await engine.create(EventType(id: identifiers.makeId(), name: "coffee"))
        let raw = try RawInserts(path: folder.appending(path: "raw.sqlite").path)
        var (ours, theirs): ([Double], [Double]) = ([], [])
        for round in 0..<rounds {
            let event = Event(
                id: identifiers.makeId(), eventTypeId: type.id, timestamp: Timestamp(milliseconds: Int64(round)),
                notes: "a note of ordinary length")
            let start = ContinuousClock.now
            _ = try await engine.create(event)
            let middle = ContinuousClock.now
            try raw.insert(id: event.id)
            ours.append((middle - start) / .seconds(1))
            theirs.append((ContinuousClock.now - middle) / .seconds(1))
        }
        return Figure(
            name: "durable log / two raw inserts in one transaction", value: ours.median / theirs.median,
            unit: "times", target: .atMost(1.5),
            detail: "\(milliseconds(ours.median)) / \(milliseconds(theirs.median))")
    }
}

/// The least that must be written: the record and its mutation.
private struct RawInserts {
    private let queue: DatabaseQueue
    private let document = Data(
        #"{"id":"0190a000-0000-7000-8000-000000000000","notes":"a note of ordinary length","source_type":"manual"}"#
            .utf8)

    init(path: String) throws {
        queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
            try database.execute(
                sql: """
                    CREATE TABLE record (id TEXT PRIMARY KEY NOT NULL, document BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE mutation (id INTEGER PRIMARY KEY AUTOINCREMENT, record TEXT NOT NULL, payload BLOB);
                    """)
        }
    }

    func insert(id: String) throws {
        try queue.write { database in
            try database.cachedStatement(sql: "INSERT INTO record VALUES (?, ?)").execute(arguments: [id, document])
            try database.cachedStatement(sql: "INSERT INTO mutation (record, payload) VALUES (?, ?)")
                .execute(arguments: [id, document])
        }
    }
}

/// No request is sent while only local writes are measured.
private struct NoServer: NetworkClientProtocol {
    private func refuse() -> APIError { .connection("there is no server in this measurement") }

    func capabilities(of entityType: EntityType) -> RouteCapabilities { RouteCapabilities(listing: .whole) }
    func checkHealth() async throws { throw refuse() }
    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity> {
        throw refuse()
    }
    func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>? { throw refuse() }
    func create<Entity: SyncEntity>(
        _ request: CreateRequest<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> { throw refuse() }
    func createBatch<Entity: SyncEntity>(
        _ requests: [CreateRequest<Entity>], idempotencyKey: String?
    ) async throws -> BatchCreateResponse<Entity> { throw refuse() }
    func update<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> { throw refuse() }
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String, idempotencyKey: String?) async throws -> Bool {
        throw refuse()
    }
    func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse { throw refuse() }
    func getLatestCursor() async throws -> Int64 { throw refuse() }
}
