import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The history of an account")
struct SyncHistoryTests {
    private let world: ServerWorld
    private let peer: ExchangePeer

    init() throws {
        world = try ServerWorld()
        peer = ExchangePeer(world)
        _ = try world.create(EventType.sample())
    }

    @Test("gets another name where a device has read further than it goes, so that all devices learn of it")
    func restoredFromBackup() async throws {
        let other = ExchangePeer(world, named: "b")
        try await other.sync([other.create(Event.sample(2))])
        try await peer.catchUp()
        try await other.catchUp()
        // The store of before the event.
        _ = try world.records.delete(.event, id: id(2), WriteContext(userId: "ann"))
        try world.deleteTombstones()
        try world.setHistory { $0.head = 1 }
        #expect(await refusal(of: peer)?.kind == .epochChanged)
        _ = try world.create(Event.sample(3))
        _ = try world.create(Event.sample(4))
        #expect(await refusal(of: other)?.kind == .epochChanged)
        other.forgetPlace()
        #expect(try await other.sync().epoch != peer.epoch)
    }

    @Test("has a place for each device: one that is none of this server's is refused")
    func strangeCursor() async throws {
        try await peer.sync()
        for text in ["", "x", "-1", "1.2", "1.event.2", "1.event.x.3", "1.meal.0."] {
            peer.cursor = text
            #expect(await refusal(of: peer)?.errors.map(\.field) == ["cursor"], "\(text)")
        }
        (peer.epoch, peer.cursor) = (nil, "1")
        #expect(await refusal(of: peer)?.errors.map(\.field) == ["epoch"])
    }

    private func refusal(of peer: ExchangePeer) async -> ServerProblem? {
        await #expect(throws: ServerProblem.self) { try await peer.sync() }
    }
}
