import TrendySync

/// Tells a person that the sync he asked for waits for another one to end.
@MainActor
struct WaitingNotice {
    let context: CommandContext

    /// How long a sync may wait for another before that is said.
    private static let patience = Duration.seconds(2)

    func during<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        let notice = Task { [context] in
            try await context.process.clock.sleep(for: Self.patience)
            guard try await context.root.engine.isWaitingForLease else { return }
            try context.remark("another sync of these records is running; this one begins when that has ended")
        }
        defer { notice.cancel() }
        return try await work()
    }
}
