import Foundation
import Testing
import TrendyFaultProxy

@Suite("A server that asks for a pause", .fewAtOnce, .timeLimit(.minutes(10)))
struct RateLimitTests {
    @Test("is left alone by the next ten syncs, each of which says when it can go on")
    func tenSyncs() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        let queue = try DatabaseFile(of: work.device).queue()
        world.proxy.follow(FaultPlan(.answer(.tooManyRequests(retryAfter: 120)), "POST", "/api/v1/sync"))
        #expect(try await work.device.syncUnderFaults().status == 75)
        world.proxy.heal()
        world.proxy.forgetRequests()
        for _ in 0..<10 {
            let outcome = try await work.device.run("sync")
            expectFailure(outcome, 75, mentions: "try again in")
        }
        #expect(world.proxy.requests.isEmpty, "\(world.proxy.requests)")
        #expect(try DatabaseFile(of: work.device).queue() == queue)
    }

    @Test("gets everything once the pause is over, and not before")
    func pauseEnds() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        world.proxy.follow(
            FaultPlan(.answer(.tooManyRequests(retryAfter: 1)), "POST", "/api/v1/sync", .only(1)))
        #expect(try await work.device.syncUnderFaults().status == 75)
        let refused = try #require(world.proxy.requests.first { $0.fault != nil }).at
        world.proxy.forgetRequests()
        while try await work.device.syncUnderFaults().status == 75 {}
        let next = try #require(world.proxy.requests.first).at
        // The pause begins when the answer is read, a little after the proxy saw the request.
        #expect(refused.duration(to: next) > .milliseconds(990))
        try await work.expectDone(in: world)
    }
}
