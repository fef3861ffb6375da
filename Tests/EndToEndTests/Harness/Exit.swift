import Foundation

/// How a process ended.
struct Exit: Equatable, CustomStringConvertible {
    /// The exit code; the number of the signal where one ended it.
    let status: Int32
    /// True where a signal ended it: a crash, or a kill.
    let wasSignalled: Bool

    /// It ended by itself with this code.
    static func code(_ status: Int32) -> Exit { Exit(status: status, wasSignalled: false) }
    /// This signal ended it.
    static func signal(_ number: Int32) -> Exit { Exit(status: number, wasSignalled: true) }

    var description: String { "\(wasSignalled ? "signal" : "status") \(status)" }
}

extension Process {
    /// How the process ended; nil while it runs.
    ///
    /// This and ``ended()`` ask the system for the process itself. What Foundation thinks of it is no help on Linux:
    /// there it takes a process for running until everybody has let go of a descriptor that the process was started
    /// with, and a child that the process left behind, or that another thread started at the same moment, has it too.
    var exit: Exit? { ending(WNOHANG) }

    /// Waits until the process has ended; kills it where the task is cancelled.
    @discardableResult
    func ended() async -> Exit {
        let pid = processIdentifier
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own: the pool of dispatch is that of Swift's tasks, and must not be held up.
                Thread.detachNewThread { [self] in
                    continuation.resume(returning: ending(0) ?? endingThatFoundationTook())
                }
            }
        } onCancel: {
            kill(pid, SIGKILL)
        }
    }

    /// Asks the system how the process ended, and leaves it there to be asked again: it is Foundation that takes it
    /// away, at a time of its own.
    private func ending(_ options: Int32) -> Exit? {
        // Where Foundation has taken it away already, its number may be that of another child by now.
        guard isRunning else { return endingThatFoundationTook() }
        var information = siginfo_t()
        while waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT | options) != 0 {
            // Foundation was faster. It did so on hearing of the end, so that this does not take long.
            if errno != EINTR { return endingThatFoundationTook() }
        }
        return Exit(information)
    }

    private func endingThatFoundationTook() -> Exit {
        waitUntilExit()
        return Exit(status: terminationStatus, wasSignalled: terminationReason == .uncaughtSignal)
    }
}

extension Exit {
    /// Reads what waitid(2) says of a child; nil where that is that it runs.
    fileprivate init?(_ information: siginfo_t) {
        guard information.si_signo == SIGCHLD else { return nil }
        #if canImport(Darwin)
            status = information.si_status
        #else
            status = information._sifields._sigchld.si_status
        #endif
        wasSignalled = information.si_code != CLD_EXITED
    }
}
