import Foundation
import Testing
import TrendyFaultProxy

/// One kind of change, and the route that it takes.
enum ChangeRoute: String, CaseIterable, Sendable {
    /// All kinds at once.
    case exchange
    case create, batch, update, delete

    var way: Way { self == .exchange ? .exchange : .routes }

    /// Whether the same sync makes good what is lost. A single request goes over a connection that was used before, so that
    /// the client opens another one and repeats it; after a batch the device looks what has become of it.
    var isMadeGoodAtOnce: Bool { self != .exchange }

    var match: FaultPlan.Match {
        switch self {
        case .exchange: Way.exchangeRoute
        case .create: .init("POST", "/api/v1/event-types$")
        case .batch: .init("POST", "/api/v1/events/batch$")
        case .update: .init("PUT", "/api/v1/events/")
        case .delete: .init("DELETE", "/api/v1/events/")
        }
    }
}

extension ChangeRoute {
    /// How many requests the route gets if the first one is lost. The exchange asks first then whether the server answers.
    fileprivate var requestsInAll: Int { self == .exchange ? 3 : 2 }
}

@Suite("A request or an answer that is lost", .fewAtOnce, .timeLimit(.minutes(10)))
struct LostAnswerTests {
    @Test("after the commit: done once", arguments: ChangeRoute.allCases)
    func afterCommit(route: ChangeRoute) async throws {
        let (world, work) = try await lose(.loseAnswer, on: route)
        let before = try changes(route, in: world, work)
        #expect(before == 1)
        // By the older routes a device reads first, and sees that it is done.
        try await sync(route, in: world, work, sent: route == .batch ? 1 : route.requestsInAll)
    }

    @Test("before the server saw it: sent again under its key, done once", arguments: ChangeRoute.allCases)
    func beforeRequest(route: ChangeRoute) async throws {
        let (world, work) = try await lose(.resetBeforeRequest, on: route)
        let before = try changes(route, in: world, work)
        #expect(before == (route.isMadeGoodAtOnce ? 1 : 0))
        // What was in a batch goes one by one then.
        try await sync(route, in: world, work, sent: route == .batch ? 1 : route.requestsInAll)
    }

    private func lose(_ fault: Fault, on route: ChangeRoute) async throws -> (FaultyWorld, Workload) {
        let world = try await FaultyWorld.start(route.way)
        let work = try await Workload.queue(in: world, route.way)
        world.proxy.follow(FaultPlan([.init(route.match, .only(1), fault)]))
        let outcome = try await work.device.syncUnderFaults()
        #expect(outcome.status == (route.isMadeGoodAtOnce ? 0 : 69), "\(outcome)")
        #expect(outcome.errors.contains("nothing is lost") != route.isMadeGoodAtOnce, "\(outcome)")
        return (world, work)
    }

    private func sync(_ route: ChangeRoute, in world: FaultyWorld, _ work: Workload, sent count: Int) async throws {
        try await work.device.sync()
        let sent = world.proxy.requests.filter { route.match.covers($0.method, $0.path) }
        #expect(sent.count == count, "\(world.proxy.requests)")
        // A batch has a key of what is in it, which may be less the second time.
        if route == .batch { return try await work.expectDone(in: world) }
        // An exchange has a key for each change, in its body.
        let keys = Set(sent.map(\.idempotencyKey))
        #expect(keys.count == 1 && keys.contains(nil) == (route == .exchange), "\(keys)")
        try await work.expectDone(in: world)
    }

    /// How often the server has done what the route asks for.
    private func changes(_ route: ChangeRoute, in world: FaultyWorld, _ work: Workload) throws -> Int {
        let fates = try world.serverData.fates()
        return switch route {
        case .create: try world.serverData.serverIds(of: "event_type").count - 1
        case .batch: try world.serverData.serverIds(of: "event").count > 3 ? 1 : 0
        case .exchange, .update: fates[work.edited] == .edited ? 1 : 0
        case .delete: fates[work.doomed] == .deleted ? 1 : 0
        }
    }
}
