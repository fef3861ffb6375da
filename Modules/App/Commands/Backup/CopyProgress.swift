import Synchronization
import TrendyData
import TrendyTerminal

/// Shows the progress of a copy of the store, and lets Ctrl-C stop it cleanly.
@MainActor
struct CopyProgress {
    let context: CommandContext
    /// The message for Ctrl-C.
    let interruption: String

    /// - Parameter work: Makes the copy, and reports its progress.
    /// - Throws: What the work throws; ``CommandFailure`` at Ctrl-C.
    func during<Result: Sendable>(
        _ work: @escaping @MainActor (_ tell: @escaping @Sendable (StoreCopyProgress) -> Void) async throws -> Result
    ) async throws -> Result {
        let latest = Latest()
        let progress = context.progress(Self.word(.copying), unit: "MB")
        do {
            return try await context.interruption.during {
                try await progress.during({ Self.show(latest.value, $0) }) { try await work { latest.value = $0 } }
            }
        } catch is CancellationError {
            throw CommandFailure.interrupted(interruption)
        }
    }

    private static func show(_ state: StoreCopyProgress?, _ progress: Progress) {
        guard let state else { return }
        // These steps have no known length.
        guard let done = state.done, let total = state.total else {
            return progress.show(0, unit: "", doing: word(state.step))
        }
        progress.show(Int(done / 1_000_000), of: Int(total / 1_000_000), unit: "MB", doing: word(state.step))
    }

    private static func word(_ step: StoreCopyProgress.Step) -> String {
        switch step {
        case .copying: "copying"
        case .checking: "checking the copy"
        case .replacing: "replacing the store"
        }
    }

    /// The latest progress.
    private final class Latest: Sendable {
        private let state = Mutex<StoreCopyProgress?>(nil)

        var value: StoreCopyProgress? {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }
}
