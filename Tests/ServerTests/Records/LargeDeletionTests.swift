import Foundation
import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("Deleting a record with thousands of children")
struct LargeDeletionTests {
    private static let count = 2_300

    private let store: InterruptedStore
    private let world: ServerWorld
    private let peer: ExchangePeer

    init() async throws {
        store = InterruptedStore(try SQLiteServerStore())
        world = try ServerWorld(store: store)
        peer = ExchangePeer(world)
        _ = try world.create(EventType.sample())
        _ = try world.create(Geofence(id: id(8), name: "home", latitude: 0, longitude: 0))
        for first in stride(from: 0, to: Self.count, by: RecordService.batchLimit) {
            let events = (first..<min(first + RecordService.batchLimit, Self.count)).map { number in
                var event = Event.sample(UInt64(1_000 + number))
                event.geofenceId = id(8)
                return event
            }
            let body = try WireCoding.encode(["events": events])
            _ = try world.records.createBatch(.event, body, member: "events", WriteContext(userId: "ann"))
        }
        try await peer.catchUp()
        store.interrupt { _ in }
    }

    private func delete(_ type: EntityType = .eventType, _ number: UInt64 = 1) throws -> WriteReply {
        try world.records.delete(type, id: id(number), WriteContext(userId: "ann", idempotencyKey: "k"))
    }

    private var revision: Int64 {
        get throws {
            try store.read("ann") { try $0.records([RecordKey(.eventType, id(1))]).values.first?.live?.revision ?? 0 }
        }
    }

    @Test("takes a transaction for each thousand, and tells each deletion once, the parent's last")
    func pieces() async throws {
        #expect(try delete().outcome == .deleted)
        #expect(store.largest <= LargeDeletion.recordLimit)
        // Two pieces, a look that finds less than one, and the request itself.
        #expect(store.writes == 4)
        let changes = try await peer.catchUp()
        #expect(changes.count == Self.count + 1)
        #expect(changes.allSatisfy { $0.deleted })
        #expect(Set(changes.map(\.entityId)).count == changes.count)
        #expect(changes.last?.entityId == id(1))
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.revision < $1.revision })
    }

    @Test("is one transaction where the children are fewer than a piece")
    func small() throws {
        _ = try world.create(EventType.sample(2, name: "tea"))
        for number in 3...6 { _ = try world.create(Event.sample(UInt64(number), type: 2)) }
        store.interrupt { _ in }
        _ = try delete(.eventType, 2)
        #expect(store.writes == 1)
    }

    @Test("empties in pieces the field of those that only refer to it")
    func references() throws {
        #expect(try delete(.geofence, 8).outcome == .deleted)
        #expect(store.largest <= LargeDeletion.recordLimit)
        #expect(store.writes == 4)
        #expect(try world.list(.event).count == Self.count)
        #expect(try world.get(.event, id(1_000))["geofence_id"] == nil)
        #expect(problem { try world.get(.geofence, id(8)) }?.kind == .notFound)
    }

    @Test("goes on where it was when the server had died between two pieces, by either API", arguments: [false, true])
    func death(isSync: Bool) async throws {
        let mutation = peer.delete(.eventType, id(1), base: try revision)
        store.interrupt { if $0 == 2 { throw ServerProblem(.unavailable, "dead") } }
        if isSync {
            await #expect(throws: ServerProblem.self) { try await peer.send(mutation) }
        } else {
            #expect(problem { try delete() }?.kind == .unavailable)
        }
        #expect(try world.list(.event).count == Self.count - LargeDeletion.recordLimit)
        #expect(try world.list(.eventType) == [id(1)])
        store.interrupt { _ in }
        if isSync {
            #expect(try await peer.send(mutation).outcome == .accepted)
            #expect(try await peer.send(mutation).replayed)
        } else {
            #expect(try !delete().isReplay)
            #expect(try delete().isReplay)
        }
        #expect(try world.list(.event) == [])
        #expect(try world.list(.eventType) == [])
    }

    @Test("takes along a child that came between two pieces")
    func newChild() throws {
        store.interrupt { [world] in if $0 == 2 { _ = try world.create(Event.sample(5)) } }
        _ = try delete()
        #expect(try world.list(.event) == [])
    }

    @Test("ends at a child that came between two pieces, which the device has not seen, and goes on when it has")
    func unseenChild() async throws {
        store.interrupt { [world] in if $0 == 2 { _ = try world.create(Event.sample(5)) } }
        #expect(try await peer.send(peer.delete(.eventType, id(1), base: revision)).outcome == .stale)
        #expect(try world.get(.event, id(5))["id"] == .string(id(5)))
        try await peer.catchUp()
        #expect(try await peer.send(peer.delete(.eventType, id(1), base: revision)).outcome == .accepted)
        #expect(try world.list(.event) == [])
    }

    @Test("ends where the parent is changed between two pieces, and shows the device that change")
    func changedParent() async throws {
        store.interrupt { [world] in if $0 == 2 { _ = try world.update(.eventType, id(1), ["name": "tea"]) } }
        let result = try await peer.send(peer.delete(.eventType, id(1), base: revision))
        #expect(result.outcome == .stale)
        #expect(result.record?["name"] == "tea")
        #expect(try world.list(.event).count == Self.count - LargeDeletion.recordLimit)
    }

    @Test("deletes no child where it is refused")
    func refusals() async throws {
        #expect(try await peer.send(peer.delete(.eventType, id(1), base: revision - 1)).outcome == .stale)
        let (epoch, cursor) = (peer.epoch, peer.cursor)
        (peer.epoch, peer.cursor) = ("other", nil)
        await #expect(throws: ServerProblem.self) {
            try await peer.send(peer.delete(.eventType, id(1), base: revision))
        }
        (peer.epoch, peer.cursor) = (epoch, cursor)
        _ = try world.update(.event, id(3_000), ["notes": "not seen"])
        #expect(try await peer.send(peer.delete(.eventType, id(1), base: revision)).outcome == .stale)
        _ = try world.records.update(
            .event, id: id(3_000), Data("{}".utf8), WriteContext(userId: "ann", idempotencyKey: "x"))
        let tooLong = WriteContext(userId: "ann", idempotencyKey: String(repeating: "k", count: 256))
        #expect(problem { try world.records.delete(.eventType, id: id(1), tooLong) }?.kind == .validation)
        #expect(try world.list(.event).count == Self.count)
    }

    @Test("leaves the children to it that its own request changes before")
    func ownChanges() async throws {
        let event = try store.read("ann") { try $0.records([RecordKey(.event, id(1_000))]).values.first?.live }
        let results = try await peer.sync([
            peer.update(.event, id(1_000), base: event?.revision ?? 0, ["notes": "last words"]),
            peer.create(Event.sample(5)),
            peer.delete(.eventType, id(1), base: revision),
        ]).results
        #expect(results.map(\.outcome) == [.accepted, .accepted, .accepted])
        #expect(try world.list(.event) == [])
    }

    @Test("lets the writes of others go between two pieces")
    func fairness() async throws {
        let blocking = BlockingWork(store: store)
        let deletion = try world.records.prepareDelete(.eventType, id: id(1), WriteContext(userId: "ann"))
        let body = try WireCoding.encode(EventType.sample(77, name: "bread"))
        let other = try world.records.prepareCreate(
            .eventType, body, beneath: nil, WriteContext(userId: "bob"))
        let (started, reached) = AsyncStream<Void>.makeStream()
        let told = Mutex<Task<WriteReply, any Error>?>(nil)
        store.interrupt { place in
            guard place == 1 else { return }
            told.withLock { $0 = Task { try await blocking.commit(other) } }
            reached.finish()
        }
        let reply = Task { try await blocking.commit(deletion) }
        for await _ in started {}
        #expect(try await told.withLock { $0 }?.value.outcome == .created)
        #expect(try await reply.value.outcome == .deleted)
        #expect(store.largest <= LargeDeletion.recordLimit)
    }

    @Test("takes one piece with a group of writes, however many deletions there are")
    func onePieceEach() async throws {
        let blocking = BlockingWork(store: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [store] in
                    let write = PreparedWrite(
                        store: store, userId: "ann", live: LiveHub(), work: { _ in (0, nil) },
                        piece: { _ in
                            store.notePiece()
                            return store.pieces < 40
                        })
                    _ = try await blocking.commit(write)
                }
            }
            try await group.waitForAll()
        }
        #expect(store.pieces >= 40)
        #expect(store.mostPieces == 1)
    }
}

/// A store that tells when a group of writes begins, and counts what is written.
private final class InterruptedStore: ServerStore {
    private struct Log {
        init(onWrite: @escaping @Sendable (Int) throws -> Void = { _ in }) { self.onWrite = onWrite }

        var onWrite: @Sendable (Int) throws -> Void
        var (writes, largest, depth) = (0, Int64(0), 0)
        var (pieces, piecesNow, mostPieces) = (0, 0, 0)
    }

    private let store: SQLiteServerStore
    private let log = Mutex(Log())

    init(_ store: SQLiteServerStore) { self.store = store }

    var writes: Int { log.withLock { $0.writes } }
    /// The most records that one write has changed.
    var largest: Int64 { log.withLock { $0.largest } }
    var pieces: Int { log.withLock { $0.pieces } }
    var mostPieces: Int { log.withLock { $0.mostPieces } }

    func notePiece() {
        log.withLock { log in
            log.pieces += 1
            log.piecesNow += 1
            log.mostPieces = max(log.mostPieces, log.piecesNow)
        }
    }

    /// Begins to count, and has the body run before each write with its place; what it throws is how the write ends.
    func interrupt(_ body: @escaping @Sendable (Int) throws -> Void) { log.withLock { $0 = Log(onWrite: body) } }

    func userIds(after userId: String?, limit: Int) throws -> [String] {
        try store.userIds(after: userId, limit: limit)
    }

    func flaws() throws -> StoreFlaws { try store.flaws() }

    func write(_ jobs: [WriteJob]) {
        let (onWrite, place, isInner) = log.withLock { log in
            log.writes += log.depth == 0 ? 1 : 0
            log.piecesNow = 0
            defer { log.depth += 1 }
            return (log.onWrite, log.writes, log.depth > 0)
        }
        defer { log.withLock { $0.depth -= 1 } }
        do {
            // What the body writes itself is no interruption.
            if !isInner { try onWrite(place) }
        } catch {
            for job in jobs { job.fail(error) }
            return
        }
        let before = heads(of: jobs)
        store.write(jobs)
        let after = heads(of: jobs)
        let most = zip(after, before).map { $0 - $1 }.max() ?? 0
        if !isInner { log.withLock { $0.largest = max($0.largest, most) } }
    }

    private func heads(of jobs: [WriteJob]) -> [Int64] {
        jobs.map { job in (try? store.read(job.userId) { try $0.history()?.head }) ?? 0 }
    }

    func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value {
        try store.read(userId, body)
    }

    func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try store.readAccounts(body)
    }

    func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try store.writeAccounts(body)
    }
}
