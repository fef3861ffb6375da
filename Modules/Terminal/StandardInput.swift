#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a command reads what a person or another program gives it.
public struct StandardInput: Sendable {
    /// What makes UTF-8 of a text that most likely is of the encoding that was usual before.
    package static let conversion = "where it is Latin-1, 'iconv -f latin1 -t utf-8' converts it"

    package let descriptor: Int32
    /// True where a person can be asked.
    package let isTerminal: Bool

    /// Reads from a file descriptor.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
    }

    /// Whether there is something to read, or the end, before so many milliseconds have passed.
    package func isReady(within milliseconds: Int32) -> Bool {
        // A poll waits for a descriptor that is none.
        if descriptor < 0 { return true }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, milliseconds)
        // What is wrong with the descriptor is told by the read.
        return count > 0 || count < 0 && errno != EINTR
    }

    /// The next line without its end, nil where there is none.
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
