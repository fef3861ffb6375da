import Foundation
import Testing

/// Lets few tests run at once: each starts processes of its own, and too many of them run into their timeouts.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Places.shared.take()
        do {
            try await function()
            await Places.shared.giveBack()
        } catch {
            await Places.shared.giveBack()
            throw error
        }
    }
}

extension Trait where Self == FewAtOnce {
    /// For suites whose tests start processes.
    static var fewAtOnce: Self { FewAtOnce() }
}

/// The places that running tests take.
private actor Places {
    static let shared = Places()

    private var free = max(2, ProcessInfo.processInfo.activeProcessorCount * 3 / 2)
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
