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

/// Starts a sync in the background after a command that has changed something, or has shown what may be outdated.
///
/// It costs the command a look at the sign-in and the store, and the start of a process that it does not wait for.
@MainActor
struct Autosync {
    let context: CommandContext

    /// Seconds after which the last background sync is too old for what is shown.
    private static let freshness = 60.0

    /// Starts a background sync, unless one waits already or there is nothing for it to do.
    ///
    /// The command has done its work by now: whatever stands against a sync is not its trouble, and the next sync, or
    /// `trendy status`, tells.
    ///
    /// - Parameter command: What was done.
    func startIfDue(after command: any CommandAction) async {
        guard context.root.configuration.autosync, let launcher = context.process.launcher else { return }
        let wantsNews = command is any ShowsRecords && !context.wantsSync && isOld
        guard context.wantsSync || wantsNews,
            (try? await AutosyncNeed(context: context, wantsNews: wantsNews).isThere()) == true,
            let lock = AutosyncLock(path: context.root.configuration.folders.autosyncLock)
        else { return }
        defer { lock.close() }
        // Who waits with a change need not wait longer for who only looks.
        if !wantsNews { lock.touch() }
        guard lock.take() else { return }
        lock.touch()
        if !launcher.start(wantsNews ? PlainSync.newsArguments : PlainSync.backgroundArguments, lock.descriptor) {
            lock.release()
        }
    }

    /// Each background sync touches the file of its lock.
    private var isOld: Bool {
        let path = context.root.configuration.folders.autosyncLock
        let touched = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return touched.map { abs($0.timeIntervalSinceNow) > Self.freshness } ?? true
    }
}

/// A command that shows records, for which news is fetched in the background where the last sync is older than a minute:
/// the next one shows them.
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

/// Whether a sync that nobody asked for has anything to do, and may do it now.
@MainActor
struct AutosyncNeed {
    let context: CommandContext
    /// Whether there may be news on the server that somebody wants to see.
    var wantsNews = false

    /// - Throws: ``StoreError``, ``CommandFailure`` or `CredentialStoreError`.
    func isThere() async throws -> Bool {
        guard try ServerSession.load(context.root.configuration).current != nil else { return false }
        // While the server's pause lasts, or the wait after lost connections, it would send nothing.
        guard try context.root.engine.nextAttemptTime() == nil else { return false }
        if wantsNews { return true }
        let reader = try context.reader
        if try !reader.mutations(MutationQuery(states: [.queued, .sending], limit: 1)).isEmpty { return true }
        // Nothing was ever received here.
        return try !context.root.engine.position().hasReceivedAll
    }
}

/// The right to be the background sync that waits: whoever has it sends what others change meanwhile.
///
/// It is a lock on a file that lies beside the store. The lock belongs to the open file and not to a process, so that
/// a command hands it on to the process that it starts and nobody can come in between (flock(2)). It is given back
/// before the sync looks at the queue: what is changed from then on is another one's to send. A sync that has failed
/// takes it again to wait for the next try.
struct AutosyncLock {
    let descriptor: Int32
    private let path: String

    /// How often taking it waits for those who look, and so many microseconds each time: a look is two system calls.
    private static let looks = 2
    private static let lookTime: UInt32 = 200

    /// What tells a file, and whether somebody has touched it.
    struct Trace: Equatable {
        /// The number of the file in its file system.
        let number: Int
        let touched: Date
    }

    /// Opens the file of the lock; nil where that is not possible.
    init?(path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        self.init(path: path, descriptor: descriptor)
    }

    /// The lock that another process has handed on.
    init(path: String, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Says that something was changed, so that whoever waits waits a little longer.
    func touch() {
        futimens(descriptor, nil)
    }

    /// Takes the lock; false where another process has it.
    func take() -> Bool {
        // Who only looks at the lock has it for an instant.
        for _ in 0..<Self.looks {
            if tryToTake() { return true }
            usleep(Self.lookTime)
        }
        return tryToTake()
    }

    private func tryToTake() -> Bool {
        // Where a file system has no locks, two syncs may wait: the store's lease still lets them go one by one.
        flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
    }

    /// Whether somebody has the lock of that path now. It makes no file.
    static func isHeld(at path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        let lock = AutosyncLock(path: path, descriptor: descriptor)
        // Closing gives it back. Several may look at once.
        defer { lock.close() }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Gives the lock back, wherever it came from.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Lets go of the file; the lock stays with those who have it open too.
    func close() {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// The file as it is now; nil where it is gone, and the store beside it most likely too.
    var trace: Trace? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: path),
            let number = found[.systemFileNumber] as? Int, let touched = found[.modificationDate] as? Date
        else { return nil }
        return Trace(number: number, touched: touched)
    }
}
