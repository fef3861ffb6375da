import Foundation
import Synchronization
import TrendyDomain
import TrendyServer
import TrendyTestSupport

/// The core of a server, without HTTP, whose time and ids a test decides.
struct ServerWorld {
    let store: any ServerStore
    let clock: ManualWallClock
    let uptime = ManualClock()
    let records: RecordService
    let accounts: AccountService

    /// - Parameter seed: What ids and tokens are made of; two worlds on one store need two.
    init(
        store: (any ServerStore)? = nil, catalog: RecordCatalog = .trendy, clock: ManualWallClock = ManualWallClock(),
        seed: UInt64 = 7
    ) throws {
        let store = try store ?? SQLiteServerStore()
        self.store = store
        self.clock = clock
        records = RecordService(store: store, catalog: catalog, clock: clock, uptime: uptime)
        accounts = AccountService(
            store: store, clock: clock, uptime: uptime, ids: SequentialIdentifiers(series: 7),
            random: SeededRandomSource(seed: seed), cost: .minimal)
    }

    /// Lets time pass: the wall clock and the server's own run on together. A wall clock that moves alone jumps.
    func pass(seconds: Int) {
        clock.advance(bySeconds: Double(seconds))
        uptime.advance(by: .seconds(seconds))
    }

    /// The feed of a user, from the beginning.
    func feed(_ userId: String, since cursor: Int64 = 0, limit: Int = 500) throws -> ChangeFeedResponse {
        try WireCoding.decode(
            ChangeFeedResponse.self, from: records.changes(userId: userId, since: cursor, limit: limit))
    }

    func create(
        _ entity: some SyncEntity, for userId: String = "ann", key: String? = nil
    ) throws -> WriteReply {
        try records.create(
            type(of: entity).entityType, WireCoding.encode(entity), WriteContext(userId: userId, idempotencyKey: key))
    }

    func update(
        _ type: EntityType, _ id: String, _ changes: JSONValue, for userId: String = "ann", key: String? = nil
    ) throws -> WriteReply {
        try records.update(
            type, id: id, WireCoding.encode(changes), WriteContext(userId: userId, idempotencyKey: key))
    }

    func get(_ type: EntityType, _ id: String, for userId: String = "ann") throws -> [String: JSONValue] {
        try WireCoding.decode([String: JSONValue].self, from: records.get(type, id: id, userId: userId))
    }

    func list(_ type: EntityType, for userId: String = "ann", limit: Int? = nil, offset: Int = 0) throws -> [String] {
        let json = try records.list(type, userId: userId, limit: limit, offset: offset)
        return try WireCoding.decode([[String: JSONValue]].self, from: json).compactMap { $0["id"]?.stringValue }
    }
}

/// Runs the body with a folder that is removed afterwards.
func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trendy-server-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// The refusal that the work ends with.
func problem(_ work: () throws -> some Any) -> ServerProblem? {
    do {
        _ = try work()
        return nil
    } catch {
        return error as? ServerProblem
    }
}

func id(_ number: UInt64) -> String { SequentialIdentifiers.id(number) }

extension EventType {
    static func sample(_ number: UInt64 = 1, name: String = "coffee") -> EventType {
        EventType(id: TrendyTests.id(number), name: name)
    }
}

extension Event {
    static func sample(
        _ number: UInt64, type: UInt64 = 1, at milliseconds: Int64? = nil, notes: String? = nil
    ) -> Event {
        Event(
            id: TrendyTests.id(number), eventTypeId: TrendyTests.id(type),
            timestamp: Timestamp(milliseconds: milliseconds ?? 1_700_000_000_000 + Int64(number)), notes: notes)
    }
}

/// Names that would otherwise be hidden by a record's own `id`.
enum TrendyTests {
    static func id(_ number: UInt64) -> String { SequentialIdentifiers.id(number) }
}
