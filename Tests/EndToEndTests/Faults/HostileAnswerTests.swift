import Foundation
import Testing
import TrendyFaultProxy
import TrendyProcesses

@Suite("An answer that means harm", .fewAtOnce, .timeLimit(.minutes(10)))
struct HostileAnswerTests {
    @Test(
        "a redirect to another host is not followed, and no token goes there",
        arguments: ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
    func redirect(status: String) async throws {
        let world = try await FaultyWorld.start()
        let work = try await Workload.queue(in: world)
        let stranger = try await FaultProxy.start(
            before: nil, plan: FaultPlan(.answer(.json("200 OK", #"{"status":"ok"}"#))))
        let redirect = Fault.answer(.redirect(status, to: stranger.address + "/api/v1/events"))
        world.proxy.follow(FaultPlan(redirect))
        let outcome = try await work.device.syncUnderFaults()
        #expect(outcome.status == 69, "\(outcome)")
        #expect(stranger.requests.isEmpty, "\(stranger.requests)")
        // The stranger does hear those who come.
        let visitor = try world.makeDevice(at: stranger.address)
        _ = try await visitor.run("sync")
        #expect(stranger.requests.contains { $0.token != nil })
        try await work.expectDone(in: world)
    }

    @Test(
        "a body without bounds is given up before it fills the memory",
        arguments: [Fault.giganticBody(bytes: 1 << 40), .endlessBody], ["/api/v1/sync", "/api/v1/changes"])
    func size(fault: Fault, path: String) async throws {
        let way: Way = path == "/api/v1/sync" ? .exchange : .routes
        let world = try await FaultyWorld.start(way)
        let work = try await Workload.queue(in: world, way)
        world.proxy.follow(FaultPlan(fault, nil, path))
        let process = try work.device.start("sync")
        let peak = Task { await highestMemory(of: process) }
        #expect(await process.ended() == .code(69))
        #expect(await peak.value < 400 << 20)
        try await work.expectDone(in: world)
    }

    /// The most memory that a process ever held, in bytes; 0 where the system does not tell.
    private func highestMemory(of process: ChildProcess) async -> Int {
        var highest = 0
        while process.exit == nil {
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
            highest = max(highest, kilobytes << 10)
            try? await RealTime.pause(.milliseconds(5))
        }
        return highest
    }
}
