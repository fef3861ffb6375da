import Foundation
import Testing
import TrendyFaultProxy

@Suite("A network that is slow", .fewAtOnce, .timeLimit(.minutes(10)))
struct SlowNetworkTests {
    @Test("an answer that does not come ends the sync, and what was committed is not done again")
    func silence() async throws {
        let world = try await FaultyWorld.start()
        var work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.holdAnswer, "POST", "/api/v1/events/batch"))
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
        world.proxy.follow(FaultPlan(.trickle(bytes: 1, every: .milliseconds(50)), "GET", "/api/v1/changes"))
        work.device.environment["TRENDY_TIMEOUT"] = "1"
        let outcome = try await work.device.syncUnderFaults(within: .seconds(15))
        #expect(outcome.status == 69, "\(outcome)")
        work.device.environment["TRENDY_TIMEOUT"] = nil
        try await work.expectDone(in: world)
    }

    @Test("slow pieces within the time are an answer like any other")
    func slowPieces() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.trickle(bytes: 100, every: .milliseconds(2))))
        #expect(try await work.device.syncUnderFaults().status == 0)
        try await work.expectDone(in: world)
    }

    @Test("a request that arrives after it was given up and sent again does nothing twice")
    func lateRequest() async throws {
        let world = try await FaultyWorld.start()
        var work = try await Workload.queue(in: world)
        world.proxy.follow(
            FaultPlan([
                .init(.init("POST", "/api/v1/events/batch"), .only(1), .delayRequest(.seconds(3))),
                .init(.init("PUT", "/api/v1/events/"), .only(1), .delayRequest(.seconds(3))),
                .init(.init("DELETE", "/api/v1/events/"), .only(1), .delayRequest(.seconds(3))),
            ]))
        work.device.environment["TRENDY_TIMEOUT"] = "0.5"
        for _ in 0..<3 { #expect(try await work.device.syncUnderFaults(within: .seconds(15)).status == 69) }
        work.device.environment["TRENDY_TIMEOUT"] = nil
        try await work.device.sync()
        try await world.proxy.waitUntilQuiet()
        try await work.expectDone(in: world)
    }
}
