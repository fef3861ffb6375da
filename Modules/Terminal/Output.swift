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

/// The buffered output of a command: a file descriptor, or memory for tests.
///
/// A closed pipe (`trendy list | head`) ends the command by ``OutputClosed``, other errors by ``CommandFailure``.
@MainActor
public final class Output {
    private let descriptor: Int32?
    private let name: String
    private let shownSize: TerminalSize?
    private var buffer: [UInt8] = []
    /// Whether the next text replaces the last line.
    private var hasPassingLine = false
    private static let pieceSize = 1 << 16

    /// Creates an output for a file descriptor, which the caller keeps open.
    public init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        shownSize = nil
    }

    /// Creates an output in memory, for ``written``.
    public init() {
        descriptor = nil
        name = "memory"
        shownSize = nil
    }

    /// Creates an output in memory that pretends to be a terminal of a size.
    package init(terminal size: TerminalSize) {
        descriptor = nil
        name = "memory"
        shownSize = size
    }

    /// The standard output of this process.
    public static func standardOutput() -> Output {
        Output(descriptor: StandardStreams.inherited(STDOUT_FILENO), name: "standard output")
    }
    /// The standard error of this process.
    public static func standardError() -> Output {
        Output(descriptor: StandardStreams.inherited(STDERR_FILENO), name: "standard error")
    }

    /// The text in the buffer; for an output in memory the whole text.
    public var written: String { String(decoding: buffer, as: UTF8.self) }

    /// Whether a path is this output, like `/dev/stdout`.
    package func isReached(by path: String) -> Bool {
        var (own, other) = (stat(), stat())
        guard let descriptor, fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return false }
        return own.st_dev == other.st_dev && own.st_ino == other.st_ino
    }

    /// Whether a path is neither a file nor a folder.
    ///
    /// The system is asked, because `/dev/stdout` can be a link to `pipe:[123]`, which is not a path.
    package nonisolated static func isStream(_ path: String) -> Bool {
        var found = stat()
        guard stat(path, &found) == 0 else { return false }
        let kind = found.st_mode & S_IFMT
        return kind != S_IFREG && kind != S_IFDIR
    }

    /// Whether the output is a terminal.
    public var isTerminal: Bool { shownSize != nil || descriptor.map { isatty($0) == 1 } ?? false }

    /// The size of the terminal; nil if it is not a terminal or has no known size.
    var terminalSize: TerminalSize? { shownSize ?? descriptor.flatMap(TerminalSize.of) }

    /// Whether lines can be replaced: on a terminal with a known name. Without TERM, the escape sequences are unknown.
    package func takesLinesBack(_ environment: [String: String]) -> Bool {
        let terminal = environment["TERM"] ?? ""
        return isTerminal && !terminal.isEmpty && terminal != "dumb"
    }

    /// Shows a line on a terminal until the next output.
    package func passingLine(_ text: String) throws {
        hasPassingLine = false
        try write("\r\(text)\u{1B}[K")
        try flush()
        hasPassingLine = true
    }

    /// Removes the passing line.
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

    /// Writes bytes.
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

    /// Writes the buffer.
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

/// The error for an output that nobody reads any more.
package struct OutputClosed: Error {}
