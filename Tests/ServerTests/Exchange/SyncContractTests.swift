import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The exchange of a server")
struct SyncContractTests {
    private let world: ServerWorld
    private let peer: ExchangePeer

    init() throws {
        world = try ServerWorld()
        peer = ExchangePeer(world)
        _ = try world.create(EventType.sample())
    }

    @Test("keeps the contract", arguments: ExchangeContract.checks)
    func contract(_ check: ExchangeContract.Check) async throws {
        try await ExchangeContract {
            RestartedWorld(try ServerWorld()).subject {
                try $0.pruneTombstones()
            } copy: { world in
                let copy = try (world.store as? SQLiteServerStore)?.copied()
                return { try copy?.copied() ?? world.store }
            }
        }.run(check)
    }

    @Test("knows a mutation's key for ninety days")
    func lifetime() async throws {
        let create = try peer.create(Event.sample(2))
        try await peer.send(create)
        world.pass(seconds: 89 * 86_400)
        #expect(try await peer.send(create).replayed)
    }

    @Test("tells of what was done by the older routes, which give a revision to each change and to nothing else")
    func olderRoutes() async throws {
        try await peer.catchUp()
        _ = try world.create(Event.sample(2))
        _ = try world.update(.event, id(2), ["notes": "a"])
        _ = try world.update(.event, id(2), ["notes": "a"])
        let changed = try await peer.sync()
        #expect(changed.changes.map(\.revision) == [3] && changed.changes.first?.record?["notes"] == "a")
        _ = try world.records.delete(.event, id: id(2), WriteContext(userId: "ann"))
        #expect(try await peer.sync().changes.map(\.deleted) == [true])
        _ = try world.create(Event.sample(2, notes: "again"))
        let back = try await peer.sync()
        #expect(back.changes.map(\.deleted) == [false] && back.head == 5)
    }

    @Test("answers of another user's record as if there were none, and refuses a create with its id")
    func isolation() async throws {
        let bob = ExchangePeer(world, as: "bob", named: "b")
        let first = try await bob.sync()
        #expect(first.changes.isEmpty && !first.more && first.head == 0 && !first.epoch.isEmpty)
        let event = try peer.create(Event.sample(2, notes: "ann's"))
        try await peer.send(event)
        let stranger = try await bob.send(bob.create(EventType.sample(1, name: "tea")))
        #expect(stranger.outcome == .rejected && stranger.record == nil && stranger.errors?.map(\.field) == ["id"])
        let mutations = [id(2), id(9)].flatMap { id in
            [bob.update(.event, id, base: 0, ["notes": "bob's"]), bob.delete(.event, id, base: 0)]
        }
        let results = try await bob.sync(mutations).results
        #expect(results.map(\.outcome) == [.deleted, .deleted, .deleted, .deleted])
        #expect(results.map(\.revision) == [0, 0, 0, 0] && !results.contains { $0.record != nil })
        #expect(try await bob.sync().head == 0)
        #expect(try world.get(.event, id(2))["notes"] == "ann's")
        // Keys of other users do not count.
        var type = try bob.create(EventType.sample(7))
        type.key = event.key
        #expect(try await bob.send(type).outcome == .accepted)
    }
}
