import GRDB
import Synchronization

/// How far a backup or a restore has come.
public struct StoreCopyProgress: Sendable, Hashable {
    /// What is being done, one after the other; a restore copies and looks through more than one store.
    public enum Step: Sendable, Hashable {
        /// A store is copied.
        case copying
        /// A copy is looked through for damage.
        case checking
        /// What is restored takes the place of what is there.
        case replacing
    }

    /// What is being done.
    public var step: Step
    /// How many bytes of this step are done; nil where that is not known before its end.
    public var done: Int64?
    /// How many bytes there are; nil where that is not known.
    public var total: Int64?
}

/// Watches over a backup or a restore: tells how far it is, and ends it where its task is cancelled.
final class CopyWatch: Sendable {
    private struct State {
        var isCancelled = false
        /// The connections at work, each within the work of the one before.
        var busy: [DatabaseQueue] = []
    }

    /// How many pages are copied before the next check: some milliseconds' worth.
    static let pagesPerStep: CInt = 1024

    private let state = Mutex(State())
    private let tell: @Sendable (StoreCopyProgress) -> Void

    private init(_ tell: @escaping @Sendable (StoreCopyProgress) -> Void) {
        self.tell = tell
    }

    /// Does work under watch.
    ///
    /// - Throws: What the work throws; `CancellationError` where the task was cancelled and the work not done.
    static func during<Result>(
        _ tell: @escaping @Sendable (StoreCopyProgress) -> Void, _ work: (CopyWatch) throws -> Result
    ) async throws -> Result {
        let watch = CopyWatch(tell)
        return try await withTaskCancellationHandler {
            do { return try work(watch) } catch {
                // SQLite has an error of its own for interrupted work.
                throw watch.isCancelled ? CancellationError() : error
            }
        } onCancel: {
            watch.cancel()
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func cancel() {
        let busy = state.withLock { state in
            state.isCancelled = true
            return state.busy
        }
        for connection in busy { connection.interrupt() }
    }

    /// Says what begins or goes on now.
    ///
    /// - Throws: `CancellationError` where the task was cancelled.
    func proceed(_ step: StoreCopyProgress.Step, _ done: Int64? = nil, of total: Int64? = nil) throws {
        if isCancelled { throw CancellationError() }
        tell(StoreCopyProgress(step: step, done: done, total: total))
    }

    /// Does work whose statements a cancelled task interrupts.
    func working<Result>(on connection: DatabaseQueue, _ work: () throws -> Result) throws -> Result {
        state.withLock { $0.busy.append(connection) }
        defer { state.withLock { _ = $0.busy.popLast() } }
        return try work()
    }

    /// Copies all pages of a database at one moment: others may write to it meanwhile.
    func copy(_ source: DatabaseQueue, to target: DatabaseQueue) throws {
        try source.inDatabase { database in
            let pageSize = try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            // Between two steps of a copy SQLite would let go of what it reads, and begin anew after each write.
            try database.inTransaction(.deferred) {
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
                try target.inDatabase { copy in
                    try database.backup(to: copy, pagesPerStep: Self.pagesPerStep) { progress in
                        let total = Int64(progress.totalPageCount)
                        let done = total - Int64(progress.remainingPageCount)
                        try self.proceed(.copying, done * pageSize, of: total * pageSize)
                    }
                }
                return .commit
            }
        }
    }
}
