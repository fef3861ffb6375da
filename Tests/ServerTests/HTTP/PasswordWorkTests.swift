import Dispatch
import Foundation
import Synchronization
import Testing
import TrendyDomain

@testable import TrendyServer

@Suite("Hashing passwords", .timeLimit(.minutes(5)))
struct PasswordWorkTests {
    /// Holds the only worker until it is told.
    private final class Gate: Sendable {
        let hold = DispatchSemaphore(value: 0)
        let entered = DispatchSemaphore(value: 0)
        let order = Mutex<[String]>([])
    }

    @Test("is fair, and refuses with a time to wait what is too much of one account")
    func fairness() async throws {
        let work = PasswordWork(workers: 1)
        let gate = Gate()
        let first = Task {
            try await work.run(address: "eve", account: "x") {
                gate.entered.signal()
                gate.hold.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                gate.entered.wait()
                continuation.resume()
            }
        }
        let outcomes = try await withThrowingTaskGroup(of: Int?.self) { group in
            for guess in 0..<6 {
                group.addTask {
                    do {
                        try await work.run(address: "eve \(guess)", account: "x") {
                            gate.order.withLock { $0.append("guess") }
                        }
                        return nil
                    } catch let problem as ServerProblem where problem.kind == .rateLimit {
                        return problem.retryAfter
                    }
                }
            }
            // Three of them wait, and three were refused at once.
            var refused: [Int?] = []
            for _ in 0..<3 { if let outcome = try await group.next() { refused.append(outcome) } }
            group.addTask {
                try await work.run(address: "ann", account: "ann") { gate.order.withLock { $0.append("ann") } }
                return nil
            }
            group.addTask {
                // Behind ann in line, so that she is in line when it is refused or served.
                gate.hold.signal()
                return nil
            }
            while let outcome = try await group.next() { refused.append(outcome) }
            return refused
        }
        try await first.value
        #expect(outcomes.compactMap { $0 }.count == 3)
        #expect(outcomes.compactMap { $0 }.allSatisfy { $0 >= 1 })
        #expect(gate.order.withLock { $0 }.count == 4)
    }
}
