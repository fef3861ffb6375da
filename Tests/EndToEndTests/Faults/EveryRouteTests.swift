import Foundation
import Testing
import TrendyFaultProxy

/// A fault that every route of the server meets once.
struct RouteFault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: Fault
    let way: Way
    let routes: [FaultPlan.Match]

    private init(_ fault: Fault, _ name: String?, _ way: Way, _ routes: [FaultPlan.Match]) {
        self.fault = fault
        self.way = way
        self.routes = routes
        testDescription = "\(way.rawValue): \(name ?? fault.description)"
    }

    private static let everyRoute: [FaultPlan.Match] = [
        .init("POST", "/api/v1/event-types$"), .init("POST", "/api/v1/events"), .init("PUT", "/api/v1/events/"),
        .init("DELETE", "/api/v1/events/"),
        .init("GET", "/api/v1/changes"),
    ]

    /// Where an answer says something that can be wrong. A deletion is answered with nothing but a status, so that
    /// whoever answers it in the server's place, and speaks JSON, is believed.
    private static let routesWithContent = everyRoute.filter { $0.method != "DELETE" }

    private static func bothWays(
        _ fault: Fault, name: String? = nil, routes: [FaultPlan.Match] = everyRoute
    ) -> [RouteFault] {
        [RouteFault(fault, name, .exchange, [Way.exchangeRoute]), RouteFault(fault, name, .routes, routes)]
    }

    var plan: FaultPlan {
        FaultPlan(routes.map { FaultPlan.Rule($0, .only(1), fault) })
    }

    /// What a network, or a server that is unwell, may do to an exchange once.
    static let all: [RouteFault] = [
        bothWays(.resetBeforeRequest), bothWays(.loseAnswer), bothWays(.truncateAnswer(after: 10)),
        bothWays(.truncateAnswer(after: 150), routes: routesWithContent),
        bothWays(.endAnswer(after: 150), routes: routesWithContent),
        bothWays(.flipBytes, routes: routesWithContent), bothWays(.breakJSON, routes: routesWithContent),
        bothWays(.relabel(contentType: "text/plain"), routes: routesWithContent),
        bothWays(.answer(.internalError)), bothWays(.answer(.unavailable)),
        bothWays(.answerAfterwards(.internalError)),
        bothWays(.answer(.captivePortal), name: "a captive portal"),
        bothWays(.answerAfterwards(.captivePortal), name: "a captive portal after the commit"),
        bothWays(.answer(.json("200 OK", "{}")), name: "an empty object", routes: routesWithContent),
        bothWays(.answer(.json("200 OK", "")), name: "JSON of no bytes", routes: routesWithContent),
    ].flatMap { $0 }
}

@Suite("A fault on every route", .fewAtOnce, .timeLimit(.minutes(10)))
struct EveryRouteTests {
    @Test("loses nothing, does nothing twice, and passes", arguments: RouteFault.all)
    func everyRoute(fault: RouteFault) async throws {
        let world = try await FaultyWorld.start(fault.way)
        let work = try await Workload.queue(in: world, fault.way)
        world.proxy.follow(fault.plan)
        // Each sync gets at least one route further.
        var rounds = 0
        while try await work.device.syncUnderFaults().status != 0, rounds < 3 * fault.routes.count {
            rounds += 1
            #expect(try DatabaseFile(of: work.device).notes() == work.notes)
        }
        #expect(try DatabaseFile(of: work.device).states().contains("parked") == false)
        for route in fault.routes {
            #expect(
                world.proxy.requests.contains { $0.fault != nil && route.covers($0.method, $0.path) },
                "\(route) met no fault: \(world.proxy.requests)")
        }
        try await work.expectDone(in: world)
    }
}
