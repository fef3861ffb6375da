import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The history of an account")
struct SyncHistoryTests {
    private let world: ServerWorld
    private let peer: SyncPeer

    init() throws {
        world = try ServerWorld()
        peer = SyncPeer(world)
        try peer.sync([peer.create(EventType.sample())])
    }

    private func setHistory(_ change: (inout AccountHistory) -> Void) throws {
        try world.store.write { transaction throws in
            var history = try transaction.history(userId: "ann") ?? AccountHistory(epoch: "")
            change(&history)
            try transaction.save(history, userId: "ann")
        }
    }

    @Test("of another name is told before anything is carried out, and goes on after all was taken anew")
    func anotherEpoch() throws {
        try setHistory { $0.epoch = "restored" }
        let event = try peer.create(Event.sample(2))
        #expect(problem { try peer.sync([event]) }?.kind == .epochChanged)
        #expect(try world.list(.event).isEmpty)
        (peer.epoch, peer.cursor) = (nil, nil)
        let answer = try peer.sync([event])
        #expect(answer.epoch == "restored" && answer.results.map(\.outcome) == [.accepted])
        #expect(answer.changes.map(\.entityId) == [id(1)])
    }

    @Test("gets another name where a device has read further than it goes, so that all devices learn of it")
    func restoredFromBackup() throws {
        let other = SyncPeer(world, named: "b")
        try other.sync([other.create(Event.sample(2))])
        try peer.sync()
        // The store of before the event.
        try setHistory { $0.head = 1 }
        try world.store.write { try $0.delete(RecordKey(.event, id(2)), index: RecordIndex()) }
        #expect(problem { try peer.sync() }?.kind == .epochChanged)
        _ = try world.create(Event.sample(3))
        _ = try world.create(Event.sample(4))
        #expect(problem { try other.sync() }?.kind == .epochChanged)
        (other.epoch, other.cursor) = (nil, nil)
        #expect(try other.sync().epoch != peer.epoch)
    }

    @Test("gets another name where an operation began from more than has happened")
    func baseAhead() throws {
        #expect(problem { try peer.sync([peer.delete(.eventType, id(1), base: 2)]) }?.kind == .epochChanged)
        #expect(try world.list(.eventType) == [id(1)])
    }

    @Test("tells who has read less than its tombstones reach back to take everything anew")
    func pruned() throws {
        let other = SyncPeer(world, named: "b")
        try other.sync()
        try peer.sync([peer.create(Event.sample(2))])
        try setHistory { $0.horizon = 2 }
        #expect(problem { try other.sync() }?.kind == .cursorExpired)
        #expect(try peer.sync().changes.isEmpty)
    }

    @Test("has a place for each device: one that is none of this server's is refused")
    func strangeCursor() throws {
        for text in ["", "x", "-1", "1.2", "1.event.2.3", "1.meal."] {
            peer.cursor = text
            #expect(problem { try peer.sync() }?.errors.map(\.field) == ["cursor"], "\(text)")
        }
        (peer.epoch, peer.cursor) = (nil, "1")
        #expect(problem { try peer.sync() }?.errors.map(\.field) == ["epoch"])
        peer.cursor = nil
        #expect(problem { try peer.sync([peer.delete(.eventType, id(1), base: 1)]) }?.errors.map(\.field) == ["epoch"])
    }

    @Test("grows by one with each change, whoever makes it, and by none with what changes nothing")
    func heads() throws {
        _ = try world.create(Event.sample(2))
        _ = try world.update(.event, id(2), ["notes": "a"])
        _ = try world.update(.event, id(2), ["notes": "a"])
        #expect(try peer.sync().head == 3)
        #expect(try peer.send(peer.update(.event, id(2), base: 3, ["notes": "a"])).revision == 3)
        #expect(try peer.sync().head == 3)
    }
}
