import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("A mutation that is sent again")
struct SyncReplayTests {
    private let world: ServerWorld
    private let peer: SyncPeer

    init() throws {
        world = try ServerWorld()
        peer = SyncPeer(world)
        try peer.sync([peer.create(EventType.sample())])
    }

    @Test("takes effect once, and is answered as before, with the revision of then")
    func once() throws {
        let mutations = [
            try peer.create(Event.sample(2)), peer.update(.event, id(2), base: 2, ["notes": "a"]),
            peer.delete(.event, id(2), base: 3),
        ]
        for (index, mutation) in mutations.enumerated() {
            let first = try peer.send(mutation)
            let second = try peer.send(mutation)
            #expect(first.outcome == .accepted && first.revision == Int64(index) + 2)
            #expect(second.outcome == .accepted && second.replayed && second.revision == first.revision)
        }
        #expect(try peer.sync().head == 4)
        // In one request it takes effect once as well.
        let twice = try peer.create(Event.sample(3))
        #expect(try peer.sync([twice, twice]).results.map(\.revision) == [5, 5])
    }

    @Test("finds no effect to repeat where its key was forgotten: its base does not fit any more")
    func forgottenKey() throws {
        let create = try peer.create(Event.sample(2, notes: "a"))
        let update = peer.update(.event, id(2), base: 2, ["notes": "b"])
        let deletion = peer.delete(.event, id(2), base: 3)
        try peer.send(create)
        forgetKeys()
        #expect(try peer.send(create).outcome == .exists)
        try peer.send(update)
        forgetKeys()
        #expect(try peer.send(update).outcome == .stale)
        try peer.send(deletion)
        forgetKeys()
        #expect(try peer.send(deletion).outcome == .deleted)
        #expect(try peer.sync().head == 4)
    }

    private func forgetKeys() { world.clock.advance(bySeconds: 91 * 86_400) }

    @Test("is known for ninety days")
    func lifetime() throws {
        let create = try peer.create(Event.sample(2))
        try peer.send(create)
        world.clock.advance(bySeconds: 89 * 86_400)
        #expect(try peer.send(create).replayed)
    }

    @Test("is judged anew where it was not accepted")
    func judgedAnew() throws {
        let orphan = try peer.create(Event.sample(2, type: 5))
        #expect(try peer.send(orphan).outcome == .blocked)
        _ = try world.create(EventType.sample(5, name: "tea"))
        #expect(try peer.send(orphan).outcome == .accepted)
    }

    @Test("is rejected where its key belongs to another record; keys of other users do not count")
    func foreignKey() throws {
        let create = try peer.create(Event.sample(2))
        try peer.send(create)
        var other = try peer.create(Event.sample(3))
        other.key = create.key
        #expect(try peer.send(other).outcome == .rejected)
        let bob = SyncPeer(world, as: "bob", named: "b")
        var type = try bob.create(EventType.sample(7))
        type.key = create.key
        #expect(try bob.send(type).outcome == .accepted)
    }
}
