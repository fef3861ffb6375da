import Foundation

#if canImport(Glibc)
    // The members of `stat` count as its own where a module has Dispatch too.
    import CDispatch
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A stream of bytes that a command writes to: a file descriptor, or memory for tests.
///
/// It collects what is written and hands it on in large pieces. A reader that went away
/// (`trendy list | head`) ends the command by ``OutputClosed``, everything else that fails by ``CommandFailure``.
@MainActor
public final class Output {
    private let descriptor: Int32?
    private let name: String
    private let shownSize: TerminalSize?
    private var buffer: [UInt8] = []
    /// True while the last line is one that the next text takes the place of.
    private var hasPassingLine = false
    private static let pieceSize = 1 << 16

    /// Writes to a file descriptor that the caller keeps open.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        shownSize = nil
    }

    /// Keeps what is written, for ``written``.
    public init() {
        descriptor = nil
        name = "memory"
        shownSize = nil
    }

    /// Keeps what is written, and passes for a terminal of that size.
    package init(terminal size: TerminalSize) {
        descriptor = nil
        name = "memory"
        shownSize = size
    }

    /// What writes to this process's standard output.
    public static func standardOutput() -> Output {
        Output(descriptor: StandardStreams.inherited(STDOUT_FILENO), name: "standard output")
    }
    /// What writes to this process's standard error.
    public static func standardError() -> Output {
        Output(descriptor: StandardStreams.inherited(STDERR_FILENO), name: "standard error")
    }

    /// What was written and not handed on; all of it where the output keeps it in memory.
    public var written: String { String(decoding: buffer, as: UTF8.self) }

    /// Whether a path leads to what this writes to, as `/dev/stdout` does to standard output.
    package func isReached(by path: String) -> Bool {
        var (own, other) = (stat(), stat())
        guard let descriptor, fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return false }
        return own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Whether a path leads to something that is neither a file nor a folder.
    ///
    /// The system is asked: what `/dev/stdout` is a link to where that is a pipe, `pipe:[123]`, is no path.
    package nonisolated static func isStream(_ path: String) -> Bool {
        var found = stat()
        guard stat(path, &found) == 0 else { return false }
        let kind = found.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    /// True where a person is likely to see it.
    public var isTerminal: Bool { shownSize != nil || descriptor.map { isatty($0) == 1 } ?? false }

    /// The size of the terminal; nil where it is none, or does not say.
    var terminalSize: TerminalSize? { shownSize ?? descriptor.flatMap(TerminalSize.of) }

    /// Whether it shows lines that are taken back: on a terminal that is named. One without a name cannot be told to.
    package func takesLinesBack(_ environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        return isTerminal && !terminal.isEmpty && terminal != "dumb"
    }

    /// Shows a line on a terminal until anything else is written.
    package func passingLine(_ text: String) throws {
        hasPassingLine = false
        try write("\r\(text)\u{1B}[K")
        try flush()
        hasPassingLine = true
    }

    /// Takes a passing line away.
    package func clearPassingLine() throws {
        guard hasPassingLine else { return }
        hasPassingLine = false
        try write("\r\u{1B}[K")
        try flush()
    }

    /// Writes text as UTF-8.
    public func write(_ text: String) throws {
        try clearPassingLine()
        buffer.append(contentsOf: text.utf8)
        try flushIfLarge()
    }

    /// Writes bytes as they are.
    public func write(_ bytes: some Sequence<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        try flushIfLarge()
    }

    /// Writes a line.
    public func line(_ text: String) throws {
        try write(text + "\n")
    }

    private func flushIfLarge() throws {
        if descriptor != nil, buffer.count >= Self.pieceSize { try flush() }
    }

    /// Hands everything on.
    public func flush() throws {
        guard let descriptor, !buffer.isEmpty else { return }
        let bytes = buffer
        buffer.removeAll(keepingCapacity: true)
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { pointer in
                #if canImport(Glibc)
                    Glibc.write(descriptor, pointer.baseAddress.map { $0 + start }, bytes.count - start)
                #elseif canImport(Musl)
                    Musl.write(descriptor, pointer.baseAddress.map { $0 + start }, bytes.count - start)
                #else
                    Darwin.write(descriptor, pointer.baseAddress.map { $0 + start }, bytes.count - start)
                #endif
            }
            if count >= 0 {
                start += count
            } else if errno != EINTR {
                if errno == EPIPE { throw OutputClosed() }
                throw CommandFailure(.inputOutput, "cannot write to \(name): \(SystemError.reason(errno))")
            }
        }
    }
}

/// Says that nobody reads the output any more.
package struct OutputClosed: Error {}
