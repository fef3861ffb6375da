import Foundation
import Testing
import TrendyFaultProxy
import TrendyProcesses

@Suite("Several syncs of one store", .fewAtOnce, .timeLimit(.minutes(10)))
struct SharedStoreTests {
    @Test("at the same moment go one after the other, and what is logged meanwhile goes in")
    func syncsAndLogs() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        // A way to the server for each sync tells whose requests are whose.
        var ways: [(proxy: FaultProxy, device: Device)] = []
        for _ in 0..<3 {
            let proxy = try await FaultProxy.start(
                before: world.server.port,
                plan: FaultPlan(.delayAnswer(.milliseconds(150)), "POST", "/api/v1/sync"))
            var device = work.device
            device.environment["TRENDY_SERVER"] = proxy.address
            ways.append((proxy, device))
        }
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for way in ways { group.addTask { try await way.device.run("sync", "--json") } }
            group.addTask {
                for number in 0..<7 { try await work.device.done("log", "run", "--note", "loop \(number)") }
                return try await work.device.run("log", "run", "--note", "loop 7")
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome)") }
        }
        let spans = try ways.map { way in
            let times = way.proxy.requests.map(\.at)
            return (first: try #require(times.first), last: try #require(times.last))
        }.sorted { $0.first < $1.first }
        for (one, next) in zip(spans, spans.dropFirst()) {
            #expect(one.last < next.first, "two syncs sent requests at the same time")
        }
        try await world.expectAgreement(of: work.device)
        let notes = work.notes + (0..<8).map { "loop \($0)" }
        #expect(try DatabaseFile(of: work.device).notes() == notes.sorted())
        #expect(try world.serverData.hasDoneAllOnce(edits: 1))
    }

    @Test("one that was killed does not hold up the next")
    func killedHolder() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        world.proxy.follow(FaultPlan(.holdAnswer, "POST", "/api/v1/sync"))
        let process = try work.device.start("sync")
        try await world.proxy.waitForRequest { $0.path == "/api/v1/sync" }
        process.signal(SIGKILL)
        await process.ended()
        #expect(try DatabaseFile(of: work.device).states().contains("sending"))
        world.proxy.heal()
        #expect(try await work.device.syncUnderFaults(within: .seconds(10)).status == 0)
        try await work.expectDone(in: world)
    }

    @Test("sync --watch sends what a loop of trendy log queues beside it, and ends with 0 when it is told to")
    func watch() async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        let process = try work.device.start("sync", "--watch", "--interval", "1")
        for number in 0..<8 { try await work.device.done("log", "run", "--note", "loop \(number)") }
        #expect(try await RealTime.wait { try DatabaseFile(of: work.device).queue().isEmpty || process.exit != nil })
        process.signal(SIGTERM)
        #expect(await process.ended() == .code(0))
        #expect(try DatabaseFile(of: work.device).queue() == [])
        try await world.expectAgreement(of: work.device)
        #expect(try DatabaseFile(of: work.device).notes() == (work.notes + (0..<8).map { "loop \($0)" }).sorted())
        #expect(try world.serverData.hasDoneAllOnce(edits: 1))
    }
}
