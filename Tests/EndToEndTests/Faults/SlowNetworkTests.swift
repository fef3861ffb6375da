import Foundation
import Testing
import TrendyFaultProxy

@Suite("A network that is slow", .fewAtOnce, .timeLimit(.minutes(10)))
struct SlowNetworkTests {
    @Test("an answer that does not come ends the sync, and what was committed is not done again")
    func silence() async throws {
        let world = try await FaultyWorld.start()
        var work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.holdAnswer, "POST", "/api/v1/sync"))
        work.device.environment["TRENDY_TIMEOUT"] = "0.5"
        let outcome = try await work.device.syncUnderFaults(within: .seconds(15))
        #expect(outcome.status == 69, "\(outcome)")
        #expect(outcome.errors.contains("in time"), "\(outcome)")
        work.device.environment["TRENDY_TIMEOUT"] = nil
        try await work.expectDone(in: world)
    }

    @Test("drops for ever end the sync too")
    func trickle() async throws {
        let world = try await FaultyWorld.start()
        var work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.trickle(bytes: 1, every: .milliseconds(50)), "POST", "/api/v1/sync"))
        work.device.environment["TRENDY_TIMEOUT"] = "1"
        let outcome = try await work.device.syncUnderFaults(within: .seconds(15))
        #expect(outcome.status == 69, "\(outcome)")
        work.device.environment["TRENDY_TIMEOUT"] = nil
        try await work.expectDone(in: world)
    }

    @Test("an export of the account asks for less where much does not come through")
    func export() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        try await work.device.sync()
        world.proxy.forgetRequests()
        world.proxy.follow(FaultPlan([.init(Way.exchangeRoute, .first(2), .answer(Reply(status: "502 Bad Gateway")))]))
        let file = work.device.home.appending(path: "mine.json").path
        try await work.device.done("account", "export", file)
        #expect(world.proxy.requests.count > 2)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(work.notes[0]))
    }

    @Test("slow pieces within the time are an answer like any other")
    func slowPieces() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.trickle(bytes: 100, every: .milliseconds(2))))
        #expect(try await work.device.syncUnderFaults().status == 0)
        try await work.expectDone(in: world)
    }

    @Test("a request that arrives after it was given up and sent again does nothing twice", arguments: Way.allCases)
    func lateRequest(way: Way) async throws {
        let world = try await FaultyWorld.start(way)
        var work = try await Workload.queue(in: world, way)
        let late: [FaultPlan.Match] =
            switch way {
            case .exchange: [Way.exchangeRoute]
            case .routes:
                [
                    .init("POST", "/api/v1/events/batch"), .init("PUT", "/api/v1/events/"),
                    .init("DELETE", "/api/v1/events/"),
                ]
            }
        world.proxy.follow(FaultPlan(late.map { .init($0, .only(1), .delayRequest(.seconds(3))) }))
        work.device.environment["TRENDY_TIMEOUT"] = "0.5"
        // What was given up may come through in the same sync, where less is sent at once.
        for _ in late { _ = try await work.device.syncUnderFaults(within: .seconds(15)) }
        work.device.environment["TRENDY_TIMEOUT"] = nil
        try await work.device.sync()
        try await world.proxy.waitUntilQuiet()
        for route in late {
            #expect(world.proxy.requests.contains { $0.fault != nil && route.covers($0.method, $0.path) })
        }
        try await work.expectDone(in: world)
    }
}
