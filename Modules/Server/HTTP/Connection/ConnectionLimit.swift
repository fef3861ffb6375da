import Logging
import NIOCore
import Synchronization

/// Decides which connections are served, and which are told that there are too many.
///
/// A process that has no file descriptor left cannot go on: SQLite cannot open its files, and Dispatch ends the process
/// when it cannot look at its threads.
final class ConnectionLimit: Sendable {
    private struct State {
        var served = 0
        /// How many were refused since the start.
        var refused = 0
        /// Whether the log has it that connections are refused.
        var isTold = false
    }

    /// The most connections that are served at a time.
    let maximum: Int
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximum: The most connections that are to be served at a time; nil for as many as open files allow. There
    ///     are never more than those.
    init(_ maximum: Int?, openFiles: Int = OpenFileLimit.current, logger: Logger) {
        let possible = Self.possible(openFiles: openFiles, cores: System.coreCount)
        self.maximum = max(1, min(maximum ?? possible, possible))
        self.logger = logger
    }

    /// How many connections above the maximum are accepted, each to be answered 503. Further ones wait to be accepted.
    var refused: Int { Self.refused(of: maximum) }

    /// How many are served now, and how many were refused.
    var counts: ServerMetrics.Connections {
        state.withLock { ServerMetrics.Connections(open: $0.served, refused: $0.refused) }
    }

    /// Takes a connection in, until it is closed.
    ///
    /// - Returns: False where there are too many.
    func admit(_ channel: any Channel) -> Bool {
        let (isAdmitted, isNews) = state.withLock { state in
            if state.served < maximum {
                state.served += 1
                return (true, false)
            }
            state.refused += 1
            defer { state.isTold = true }
            return (false, !state.isTold)
        }
        if isNews {
            logger.warning("connections are refused: there are too many", metadata: ["most": "\(maximum)"])
        }
        if isAdmitted { channel.closeFuture.whenComplete { [self] _ in close() } }
        return isAdmitted
    }

    private func close() {
        state.withLock { state in
            state.served -= 1
            // It is worth another line only once there was room again.
            if state.served < maximum / 2 { state.isTold = false }
        }
    }

    /// The connections that open files allow.
    ///
    /// The rest is for SQLite's files, the streams, what the system's libraries open for a moment, and what each
    /// event loop waits with.
    static func possible(openFiles: Int, cores: Int) -> Int {
        let spare = max(2, openFiles - 64 - 4 * cores)
        return max(spare - mostRefused, spare * 3 / 4)
    }

    private static let mostRefused = 32

    static func refused(of maximum: Int) -> Int { min(mostRefused, max(1, maximum / 3)) }
}
