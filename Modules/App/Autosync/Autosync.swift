import Foundation
import TrendyData
import TrendyDomain
import TrendySync

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Starts a background sync after a command that changed records, or that showed possibly outdated ones.
///
/// It only reads the sign-in and the store, and starts a process without waiting for it.
@MainActor
struct Autosync {
    let context: CommandContext

    /// The age in seconds at which the last background sync is too old for a command that shows records.
    private static let freshness = 60.0

    /// Starts a background sync, unless one waits already or has nothing to do.
    ///
    /// The command itself has succeeded, so an obstacle is not reported here; the next sync and `trendy status` do so.
    ///
    /// - Parameter command: The command that ran.
    func startIfDue(after command: any CommandAction) async {
        guard context.root.configuration.autosync, let launcher = context.process.launcher else { return }
        let wantsNews = command is any ShowsRecords && !context.wantsSync && isOld
        guard context.wantsSync || wantsNews,
            (try? await AutosyncNeed(context: context, wantsNews: wantsNews).isThere()) == true,
            let lock = AutosyncLock(path: context.root.configuration.folders.autosyncLock)
        else { return }
        defer { lock.close() }
        // A sync that waits to send changes must not be delayed by a command that only reads.
        if !wantsNews { lock.touch() }
        guard lock.take() else { return }
        lock.touch()
        if !launcher.start(wantsNews ? PlainSync.newsArguments : PlainSync.backgroundArguments, lock.descriptor) {
            lock.release()
        }
    }

    private var isOld: Bool {
        let path = context.root.configuration.folders.autosyncLock
        let touched = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return touched.map { abs($0.timeIntervalSinceNow) > Self.freshness } ?? true
    }
}

/// A command that shows records. It starts a background sync for news if the last one is older than a minute; the next
/// command then shows them.
protocol ShowsRecords {}

extension ListingRequest: ShowsRecords {}
extension ListCommand: ShowsRecords {}
extension ShowCommand: ShowsRecords {}
extension DayRequest: ShowsRecords {}
extension TodayCommand: ShowsRecords {}
extension WeekCommand: ShowsRecords {}
extension StatsCommand: ShowsRecords {}
extension CalendarCommand: ShowsRecords {}
extension TrendCommand: ShowsRecords {}
extension StreaksCommand: ShowsRecords {}
extension InsightsCommand: ShowsRecords {}
extension ReportCommand: ShowsRecords {}

/// Decides whether an automatic sync has something to do and may run now.
@MainActor
struct AutosyncNeed {
    let context: CommandContext
    /// Whether to fetch news even if no changes wait.
    var wantsNews = false

    /// - Throws: ``StoreError``, ``CommandFailure`` or `CredentialStoreError`.
    func isThere() async throws -> Bool {
        guard try ServerSession.load(context.root.configuration).current != nil else { return false }
        // During a pause of the server, or after lost connections, the sync would send nothing.
        guard try context.root.engine.nextAttemptTime() == nil else { return false }
        if wantsNews { return true }
        let reader = try context.reader
        if try !reader.mutations(MutationQuery(states: [.queued, .sending], limit: 1)).isEmpty { return true }
        // This device has never received anything.
        return try !context.root.engine.position().hasReceivedAll
    }
}

/// The lock of the background sync that waits. Only one process can hold it.
///
/// It is a lock on a file in the folder of the store. The lock belongs to the open file and not to a process, so a
/// command can pass it to the process that it starts, without a gap (flock(2)). The sync releases the lock before it
/// reads the queue, so that later changes start another sync. A sync that failed takes the lock again to wait for the
/// next attempt.
struct AutosyncLock {
    let descriptor: Int32
    private let path: String

    /// The number of attempts to take the lock, and the microseconds between them. A test of the lock holds it for the time
    /// of two system calls.
    private static let looks = 2
    private static let lookTime: UInt32 = 200

    /// The identity of the lock's file, with the time of its last change.
    struct Trace: Equatable {
        /// The inode number.
        let number: Int
        let touched: Date
    }

    /// Opens the file of the lock; nil if that fails.
    init?(path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        self.init(path: path, descriptor: descriptor)
    }

    /// A lock that another process passed on.
    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Reports a change, so that the waiting sync waits for more changes.
    func touch() {
        futimens(descriptor, nil)
    }

    /// Takes the lock; false if another process holds it.
    func take() -> Bool {
        // A test of the lock holds it for an instant.
        for _ in 0..<Self.looks {
            if tryToTake() { return true }
            usleep(Self.lookTime)
        }
        return tryToTake()
    }

    private func tryToTake() -> Bool {
        // Without file locks two syncs may wait; the lease of the store still makes them run one after the other.
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Whether a process holds the lock at a path. The test creates no file.
    static func isHeld(at path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        let lock = AutosyncLock(path: path, descriptor: descriptor)
        // Closing releases the lock. Several processes may test it at once.
        defer { lock.close() }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Releases the lock.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Closes the file; the lock stays with other processes that have the file open.
    func close() {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// The present state of the file; nil if it was deleted, probably together with the store.
    var trace: Trace? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let number = found[.systemFileNumber] as? Int, let touched = found[.modificationDate] as? Date
        else { return nil }
        return Trace(number: number, touched: touched)
    }
}
