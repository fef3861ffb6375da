#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The standard input of a command.
public struct StandardInput: Sendable {
    /// Advice for converting text to UTF-8.
    package static let conversion = "if it is Latin-1, convert it with 'iconv -f latin1 -t utf-8'"

    package let descriptor: Int32
    /// Whether it is a terminal.
    package let isTerminal: Bool

    /// Reads from a file descriptor.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    /// Waits up to a number of milliseconds, and returns whether there is input or the end.
    package func isReady(within milliseconds: Int32) -> Bool {
        // A poll on an invalid descriptor would wait.
        if descriptor < 0 { return true }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, milliseconds)
        // The read reports errors of the descriptor.
        return count > 0 || count < 0 && errno != EINTR
    }

    /// The next line without its end; nil at the end.
    package func readLine() throws -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(.inputOutput, "cannot read standard input: \(SystemError.reason(errno))")
            }
            if count == 0 && line.isEmpty { return nil }
            if count == 0 || byte == UInt8(ascii: "\n") { break }
            line.append(byte)
            if line.count > 1 << 16 {
                throw CommandFailure.data("the line on standard input is longer than 65,536 bytes")
            }
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure.data("the line on standard input is not UTF-8: \(Self.conversion)")
        }
        return text
    }
}
