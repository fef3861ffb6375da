import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("many requests", .serialized)
struct TransportLoadTests {
    @Test("two thousand requests one after another use one connection and leave no memory behind")
    func sequential() async throws {
        let request = CreateRequest(makeEvent(notes: String(repeating: "x", count: 15_000)))
        try await withHarness { _ in
            .json(eventJSON(1))
        } _: { harness async throws in
            for _ in 0..<200 { _ = try await harness.client.createEvent(request) }
            let before = residentKilobytes()
            for _ in 0..<2_000 { _ = try await harness.client.createEvent(request) }
            // One that a busy machine leaves idle for a minute is closed, and replaced.
            #expect(harness.server.connectionCount <= 3)
            #expect(residentKilobytes() - before < 100_000)
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
