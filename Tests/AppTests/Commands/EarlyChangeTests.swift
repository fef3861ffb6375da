import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("New records that the server refuses as ahead of its clock")
struct EarlyChangeTests {
    private let shell: TestShell
    private let server = ExchangeServer()
    private let network: MockNetworkClient

    init() async throws {
        shell = try TestShell()
        let network = MockNetworkClient(clock: shell.clock, exchange: server)
        self.network = network
        shell.overrides = { $0.register((any NetworkClientProtocol).self) { network } }
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        _ = try await shell.json("type", "add", "run")
        _ = try await shell.json("sync")
    }

    /// Logs events that the server refuses.
    private func refuse(_ count: Int) async throws {
        let early = FieldError(field: "id", message: "is ahead", code: "future_timestamp")
        for _ in 0..<count { _ = try await shell.json("log", "run") }
        let ids = try await shell.json("queue").array.compactMap { $0["entity_id"]?.stringValue }
        server.reject(Set(ids), errors: [early])
    }

    @Test("sync, status and queue say why they wait and that they go by themselves, and nothing else")
    func told() async throws {
        network.clockReading = ClockReading(lead: 0, doubt: 0.5)
        try await refuse(2)
        let reason = "the server refuses new records as ahead of its clock: 2 changes wait, and are sent by themselves "
        let sync = try await shell.run("sync")
        #expect(sync.output.contains(reason + "as soon as its clock allows; see 'trendy queue'"), "\(sync)")
        #expect(sync.output.contains("2 changes waiting for the server's clock\n"), "\(sync)")
        #expect(!sync.output.contains("still waiting"), "\(sync)")
        let status = try await shell.run("status").output
        #expect(status.contains("clock      " + reason), "\(status)")
        #expect(status.contains("waiting    2 changes for the server's clock\n"), "\(status)")
        #expect(!status.contains("trendy sync") && !status.contains("sent after the next change"), "\(status)")
        let queue = try await shell.run("queue").output
        #expect(queue.contains("the server refuses it as ahead of its clock; it is sent by itself as soon as"))
        server.reject([])
        #expect(try await shell.run("sync").output == "sent 2 changes, received 0 changes\n")
        #expect(try await !shell.run("status").output.contains("clock"))
    }

    @Test("the difference of the clocks is told where it is known, and until when they wait")
    func difference() async throws {
        network.clockReading = ClockReading(lead: 300, doubt: 0.5)
        try await refuse(1)
        let sync = try await shell.run("sync").output
        #expect(
            sync.contains(
                "as ahead of its clock (this device's clock is 5m ahead of the server's): 1 change waits, and is sent by "
                    + "itself as soon as its clock allows"), "\(sync)")
        #expect(try await shell.run("queue").output.contains("it is sent by itself from 2026-03-10 12:04 on"))
    }

    @Test("queue retry --all leaves those whose time is not known, and sends the others under another id")
    func retryAll() async throws {
        network.clockReading = ClockReading(lead: 0, doubt: 0.5)
        try await refuse(1)
        _ = try await shell.json("sync")
        let none = try await shell.run("queue", "retry", "--all")
        #expect(none.status == 0 && none.output == "no refused changes\n", "\(none)")
        network.clockReading = ClockReading(lead: 300, doubt: 0.5)
        _ = try await shell.json("sync")
        let sent = try await shell.run("queue", "retry", "--all")
        #expect(sent.status == 0 && sent.output.contains("will be sent by the next sync"), "\(sent)")
    }

    @Test("what else waits is to be sent all the same")
    func others() async throws {
        network.clockReading = ClockReading(lead: 0, doubt: 0.5)
        try await refuse(1)
        _ = try await shell.json("sync")
        let type = try await shell.json("type", "list").array.first?["id"]?.stringValue
        _ = try await shell.run("type", "edit", try #require(type), "--color", "#112233")
        let status = try await shell.run("status").output
        #expect(
            status.contains("2 changes, 1 of which wait for the server's clock; sent after the next change"),
            "\(status)")
    }
}
