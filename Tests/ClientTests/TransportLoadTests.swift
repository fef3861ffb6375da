import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyProcesses
import TrendyTestSupport

@Suite("many requests", .serialized, .timeLimit(.minutes(10)))
struct TransportLoadTests {
    @Test("two thousand requests one after another use one connection and leave no memory behind")
    func sequential() async throws {
        #if os(Linux)
            // In a process of its own: the memory of this one belongs to all the tests that run beside it.
            guard ProcessInfo.processInfo.environment[Self.alone] != nil else { return try await runAlone() }
        #endif
        let request = CreateRequest(makeEvent(notes: String(repeating: "x", count: 15_000)))
        try await withHarness { _ in
            .json(eventJSON(1))
        } _: { harness async throws in
            var pause = LongestPause()
            func create() async throws {
                // Without a key it may not arrive twice, and gets a connection of its own.
                _ = try await harness.client.createEventWithIdempotency(request, idempotencyKey: "key")
                pause.mark()
            }
            for _ in 0..<200 { try await create() }
            let before = residentKilobytes()
            for _ in 0..<2_000 { try await create() }
            #expect(harness.server.connectionCount == 1 || !pause.keepsConnections)
            // The server keeps what it was sent, 30 MB; a client that kept it too would double that.
            #expect(residentKilobytes() - before < 50_000)
        }
    }

    #if os(Linux)
        /// Set where this process has nothing else to do than one test.
        private static let alone = "TRENDY_TEST_ALONE"

        /// Starts the tests of this bundle once more, with nothing but this suite.
        private func runAlone() async throws {
            let transcript = try await ChildProcess.run(
                CommandLine.arguments[0], ["--testing-library", "swift-testing", "--filter", "TransportLoadTests"],
                environment: ProcessInfo.processInfo.environment.merging([Self.alone: "1"]) { $1 })
            #expect(transcript.exit == .code(0), "\(transcript.output)\(transcript.errors)")
            #expect((transcript.output + transcript.errors).contains("run with 1 test"))
        }
    #endif
}

/// The memory of this process, 0 where the system does not say.
private func residentKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * 4
}
