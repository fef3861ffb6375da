import Foundation

/// How a process ended.
public struct Exit: Equatable, Sendable, CustomStringConvertible {
    /// The exit code; the number of the signal where one ended it.
    public let status: Int32
    /// True where a signal ended it: a crash, or a kill.
    public let wasSignalled: Bool

    /// It ended by itself with this code.
    public static func code(_ status: Int32) -> Exit { Exit(status: status, wasSignalled: false) }
    /// This signal ended it.
    public static func signal(_ number: Int32) -> Exit { Exit(status: number, wasSignalled: true) }

    public var description: String { "\(wasSignalled ? "signal" : "status") \(status)" }
}

extension Exit {
    /// Reads what waitpid(2) says of a process that has ended.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .code(waitStatus >> 8 & 0xFF) : .signal(signal)
    }
}
