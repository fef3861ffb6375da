import Foundation
import Testing
import TrendyFaultProxy

/// A fault that every route of the server meets once.
struct RouteFault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: Fault
    let routes: [FaultPlan.Match]

    init(_ fault: Fault, name: String? = nil, routes: [FaultPlan.Match] = everyRoute) {
        self.fault = fault
        self.routes = routes
        testDescription = name ?? fault.description
    }

    static let everyRoute: [FaultPlan.Match] = [
        .init("GET", "/health"), .init("POST", "/api/v1/event-types$"), .init("POST", "/api/v1/events"),
        .init("PUT", "/api/v1/events/"), .init("DELETE", "/api/v1/events/"), .init("GET", "/api/v1/changes"),
    ]

    /// Where an answer says something that can be wrong. A deletion is answered with nothing but a status, so that
    /// whoever answers it in the server's place, and speaks JSON, is believed.
    static let routesWithContent = everyRoute.filter { $0.method != "DELETE" }

    var plan: FaultPlan {
        FaultPlan(routes.map { FaultPlan.Rule($0, .only(1), fault) })
    }

    /// What a network, or a server that is unwell, may do to an exchange once.
    static let all: [RouteFault] = [
        RouteFault(.resetBeforeRequest), RouteFault(.loseAnswer), RouteFault(.truncateAnswer(after: 10)),
        RouteFault(.truncateAnswer(after: 150), routes: routesWithContent),
        RouteFault(.endAnswer(after: 150), routes: routesWithContent),
        RouteFault(.flipBytes, routes: routesWithContent), RouteFault(.breakJSON, routes: routesWithContent),
        RouteFault(.relabel(contentType: "text/plain"), routes: routesWithContent),
        RouteFault(.answer(.internalError)), RouteFault(.answer(.unavailable)),
        RouteFault(.answerAfterwards(.internalError)),
        RouteFault(.answer(.captivePortal), name: "a captive portal"),
        RouteFault(.answerAfterwards(.captivePortal), name: "a captive portal after the commit"),
        RouteFault(.answer(.json("200 OK", "{}")), name: "an empty object", routes: routesWithContent),
        RouteFault(.answer(.json("200 OK", "")), name: "JSON of no bytes", routes: routesWithContent),
    ]
}

@Suite("A fault on every route", .fewAtOnce, .timeLimit(.minutes(10)))
struct EveryRouteTests {
    @Test("loses nothing, does nothing twice, and passes", arguments: RouteFault.all)
    func everyRoute(fault: RouteFault) async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
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
