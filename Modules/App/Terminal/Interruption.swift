/// Lets Ctrl-C and SIGTERM end a piece of work in order, instead of the program at once.
///
/// The first signal cancels the work, which stops where everything is consistent and throws; another one, a second later
/// at the earliest, ends the program as it would have without this.
@MainActor
struct Interruption {
    let context: CommandContext

    /// Does the work in a task of its own, which a signal cancels.
    ///
    /// - Throws: What the work throws; `CancellationError` or what it makes of that where a signal came.
    func during<Result: Sendable>(_ work: @escaping @MainActor () async throws -> Result) async throws -> Result {
        let task = Task { try await work() }
        let signals = context.process.listensForSignals ? StopSignals { task.cancel() } : nil
        defer { signals?.end() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
