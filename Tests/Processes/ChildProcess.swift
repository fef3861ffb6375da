public import Foundation
import Synchronization

/// A program that a test has started.
///
/// A thread waits for each one, and takes it out of the system's table as soon as it has ended. Foundation's `Process`
/// does not on Linux: there it takes a process for running until everybody has let go of a descriptor that the process
/// was started with, which a child that it left behind, or one that another thread started at the same moment, has too.
/// What has ended and is not taken away keeps those busy who wait for any child, as Swift Testing does.
public final class ChildProcess: Sendable {
    private struct State {
        var exit: Exit?
        var waiting: [CheckedContinuation<Exit, Never>] = []
    }

    public let processIdentifier: Int32
    private let state = Mutex(State())

    /// Starts a program, which has the three streams and no other descriptor of this process.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String], streams: StandardStreams = .none
    ) throws {
        processIdentifier = try Spawn(program, arguments, environment, streams).run()
        // A thread of its own: the pool of dispatch is that of Swift's tasks, and must not be held up.
        Thread.detachNewThread { [self] in waitForEnd() }
    }

    /// How the process ended; nil while it runs.
    public var exit: Exit? { state.withLock(\.exit) }

    /// Sends a signal; does nothing where the process has ended, since its number may be another's by then.
    public func signal(_ number: Int32) {
        state.withLock { state in
            if state.exit == nil { kill(processIdentifier, number) }
        }
    }

    /// Waits until the process has ended; kills it where the task is cancelled.
    @discardableResult
    public func ended() async -> Exit {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exit = state.withLock { state in
                    if state.exit == nil { state.waiting.append(continuation) }
                    return state.exit
                }
                if let exit { continuation.resume(returning: exit) }
            }
        } onCancel: {
            signal(SIGKILL)
        }
    }

    private func waitForEnd() {
        var information = siginfo_t()
        // It stays in the table until nobody can send it a signal any more.
        while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let (exit, waiting) = state.withLock { state in
            var status: Int32 = 0
            var reaped: pid_t
            repeat { reaped = waitpid(processIdentifier, &status, 0) } while reaped < 0 && errno == EINTR
            precondition(reaped == processIdentifier, "somebody else has waited for process \(processIdentifier)")
            let exit = Exit(waitStatus: status)
            state.exit = exit
            defer { state.waiting = [] }
            return (exit, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: exit) }
    }
}

/// What a program reads and writes.
public enum StandardStreams {
    /// It reads nothing, and what it writes is thrown away.
    case none
    /// Open files for standard input, output and error; nothing where there is none.
    case files(input: FileHandle? = nil, output: FileHandle? = nil, errors: FileHandle? = nil)
    /// The terminal at this path. The program is the first of a session, so that the terminal is its own.
    case terminal(path: String)
}
