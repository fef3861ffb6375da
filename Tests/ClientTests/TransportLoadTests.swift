import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("many requests", .serialized)
struct TransportLoadTests {
    /// In a process of its own: the memory of this one belongs to all the tests that run beside it.
    @Test("two thousand requests one after another use one connection and leave no memory behind")
    func sequential() async throws {
        await #expect(processExitsWith: .success) {
            let request = CreateRequest(makeEvent(notes: String(repeating: "x", count: 15_000)))
            try await withHarness { _ in
                .json(eventJSON(1))
            } _: { harness async throws in
                var pause = LongestPause()
                func create() async throws {
                    _ = try await harness.client.createEvent(request)
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
    }
}

/// The memory of this process, 0 where the system does not say.
private func residentKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * 4
}
