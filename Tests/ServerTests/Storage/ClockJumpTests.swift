import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("A wall clock that jumps ahead and comes back")
struct ClockJumpTests {
    private static let day = 86_400
    private static let jump = 100.0 * 86_400

    private let world: ServerWorld
    private let credentials = PasswordCredentials(email: "ann@example.org", password: "pässwörd")

    init() throws {
        world = try ServerWorld()
        // The server has run long enough to delete what is old.
        world.pass(seconds: 2 * Self.day)
    }

    private func duringJump(in world: ServerWorld, _ body: () throws -> Void) rethrows {
        world.clock.advance(bySeconds: Self.jump)
        defer { world.clock.advance(bySeconds: -Self.jump) }
        try body()
    }

    @Test("has ended no session, whoever signs in and refreshes meanwhile", arguments: [false, true])
    func sessions(restarts: Bool) throws {
        let ann = try world.accounts.signUp(credentials)
        let bob = try world.accounts.signUp(PasswordCredentials(email: "bob@example.org", password: "pässwörd"))
        let during = restarts ? try restarted(ahead: Self.jump) : world
        try duringJump(in: restarts ? during : world) {
            let other = try during.accounts.logIn(credentials)
            _ = try during.accounts.refresh(other.refreshToken)
            #expect(problem { try during.accounts.refresh(ann.refreshToken) }?.kind == .unauthorized)
        }
        #expect(try world.accounts.authenticate(ann.accessToken).userId == ann.user.id)
        #expect(try world.accounts.refresh(ann.refreshToken).user == ann.user)
        #expect(try world.accounts.refresh(bob.refreshToken).user == bob.user)
    }

    @Test("has ended no session for late reuse")
    func lateReuse() throws {
        let grant = try world.accounts.signUp(credentials)
        let lost = try world.accounts.refresh(grant.refreshToken)
        world.clock.advance(bySeconds: 50 * 86_400)
        #expect(problem { try world.accounts.refresh(grant.refreshToken) }?.kind == .unauthorized)
        world.clock.advance(bySeconds: -50 * 86_400)
        #expect(try world.accounts.authenticate(lost.accessToken).userId == grant.user.id)
        #expect(try world.accounts.refresh(grant.refreshToken).user == grant.user)
    }

    @Test("has forgotten no key, neither meanwhile nor afterwards", arguments: [false, true])
    func keys(restarts: Bool) async throws {
        _ = try world.create(EventType.sample(), key: "k")
        let create = try ExchangePeer(world).create(Event.sample(2))
        try await ExchangePeer(world).send(create)
        let during = restarts ? try restarted(ahead: Self.jump) : world
        during.clock.advance(bySeconds: Self.jump)
        #expect(try during.create(EventType.sample(), key: "k").isReplay)
        #expect(try await ExchangePeer(during).send(create).replayed)
        _ = try during.create(EventType.sample(3, name: "tea"), key: "later")
        during.clock.advance(bySeconds: -Self.jump)
        #expect(try world.create(EventType.sample(), key: "k").isReplay)
        #expect(try await ExchangePeer(world).send(create).replayed)
        #expect(try world.create(EventType.sample(3, name: "tea"), key: "later").isReplay)
    }

    @Test("has dropped no tombstone")
    func tombstones() throws {
        _ = try world.create(EventType.sample())
        _ = try world.records.delete(.eventType, id: id(1), WriteContext(userId: "ann"))
        try duringJump(in: world) { _ = try world.create(EventType.sample(3, name: "tea")) }
        #expect(try world.store.read("ann") { try $0.history() }?.horizon == 0)
        #expect(try world.feed("ann").changes.count == 2)
    }

    @Test("does not keep what is old by the server's own time")
    func old() throws {
        let grant = try world.accounts.signUp(credentials)
        _ = try world.create(EventType.sample(), key: "k")
        let key = "create \(EntityType.eventType) k"
        #expect(try world.store.read("ann") { try $0.outcomes([key]) }.count == 1)
        world.pass(seconds: 91 * Self.day)
        _ = try world.accounts.logIn(credentials)
        _ = try world.create(EventType.sample(3, name: "tea"), key: "other")
        let hash = AccountService.hash(grant.refreshToken)
        #expect(try world.store.readAccounts { try $0.token(hash: hash) } == nil)
        #expect(try world.store.read("ann") { try $0.outcomes([key]) }.isEmpty)
    }

    /// Another process on the same data, which starts while the wall clock is ahead.
    private func restarted(ahead seconds: Double) throws -> ServerWorld {
        let clock = ManualWallClock(world.clock.now().advanced(bySeconds: seconds))
        let other = try ServerWorld(store: world.store, clock: clock, seed: 8)
        clock.advance(bySeconds: -seconds)
        return other
    }
}
