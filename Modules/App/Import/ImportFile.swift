import TrendyInterchange
import TrendyNotation
import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file of an import, which can be read several times.
///
/// Input from a pipe is first copied into a temporary file that only the owner can read.
@MainActor
final class ImportFile: RereadableFile {
    /// The name of standard input.
    nonisolated static let standardInput = "standard input"

    /// The name for messages.
    let name: String
    /// The name without folders and extension; nil for standard input.
    let stem: String?
    private let descriptor: Int32
    private let start: off_t
    /// The size of the file; negative for a pipe.
    private let size: off_t

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be opened or copied.
    init(_ path: String, context: CommandContext) throws {
        if path == "-" {
            name = Self.standardInput
            stem = nil
            let input = context.process.input.descriptor
            let position = lseek(input, 0, SEEK_CUR)
            descriptor = try position >= 0 ? Self.duplicate(input) : Self.putAside(input, context)
            start = max(0, position)
            size = lseek(descriptor, 0, SEEK_END)
            return
        }
        name = path
        stem = Self.stem(of: path)
        let opened = open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw FileFailure.reading(path, errno) }
        guard !FileFailure.isFolder(path) else {
            close(opened)
            throw FileFailure.reading(path, EISDIR)
        }
        if lseek(opened, 0, SEEK_CUR) >= 0 {
            descriptor = opened
        } else {
            // A pipe, as from '<(…)' in a shell.
            defer { close(opened) }
            descriptor = try Self.putAside(opened, context)
        }
        start = 0
        size = lseek(descriptor, 0, SEEK_END)
    }

    deinit { close(descriptor) }

    /// The bytes of the file from its start. Only one source of a file can be read at a time.
    func source() throws -> FileSource {
        guard lseek(descriptor, start, SEEK_SET) >= 0 else {
            throw CommandFailure(
                .inputOutput, "cannot read \(name) twice: it is a pipe; import it from standard input")
        }
        return FileSource(file: self, bytes: DescriptorSource(descriptor: descriptor, name: name))
    }

    /// The bytes that were read, and the size of the file; nil if it has no size.
    var position: (done: Int, total: Int)? {
        let here = lseek(descriptor, 0, SEEK_CUR)
        guard here >= start, size > start else { return nil }
        return (Int(here - start), Int(size - start))
    }

    /// The number of rows of a CSV file; line ends within quotes do not count.
    func countRows() throws -> Int {
        let source = try source()
        var (count, isQuoted, last) = (0, false, UInt8(ascii: "\n"))
        while case let piece = try source.next(), !piece.isEmpty {
            for byte in piece {
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                let isEnd = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") && last != UInt8(ascii: "\r")
                if isEnd, !isQuoted { count += 1 }
                last = byte
            }
        }
        return [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(last) ? count : count + 1
    }

    private static func stem(of path: String) -> String? {
        guard let last = path.split(separator: "/").last else { return nil }
        guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return String(last) }
        return String(last[..<dot])
    }

    private static func duplicate(_ input: Int32) throws -> Int32 {
        let copy = dup(input)
        guard copy >= 0 else {
            throw FileFailure.reading(standardInput, errno)
        }
        return copy
    }

    private static func putAside(_ input: Int32, _ context: CommandContext) throws -> Int32 {
        let folder = context.process.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array((folder + "/trendy-import-XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else {
            let reason = FileFailure.writing(folder + "/trendy-import", errno).message
            throw CommandFailure(
                .cannotCreate,
                "standard input cannot be copied to \(folder) (choose another folder with TMPDIR): \(reason)")
        }
        // Without a name, the file is deleted when its last descriptor is closed, even after a crash.
        unlink(template)
        let aside = Output(descriptor: file, name: folder)
        do {
            let source = DescriptorSource(descriptor: input, name: "standard input")
            while case let piece = try source.next(), !piece.isEmpty { try aside.write(piece) }
            try aside.flush()
        } catch {
            close(file)
            throw error
        }
        return file
    }
}

/// The bytes of a file, which stays open while they are read.
struct FileSource: ByteSource {
    fileprivate let file: ImportFile
    fileprivate let bytes: DescriptorSource

    func next() throws -> [UInt8] { try bytes.next() }
}

/// The bytes of a file or a pipe.
struct DescriptorSource: ByteSource {
    let descriptor: Int32
    let name: String
    static let pieceSize = 1 << 18

    func next() throws -> [UInt8] {
        while true {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, used in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                used = max(0, count)
            }
            if count >= 0 { return piece }
            if errno != EINTR { throw FileFailure.reading(name, errno) }
        }
    }
}

extension ImportFile {
    /// Refuses a file of the wrong kind.
    ///
    /// - Parameters:
    ///   - kinds: The kinds that the command accepts.
    ///   - wanted: The accepted kind, for the message: "calendar".
    ///   - textAdvice: The advice for text of an unknown kind; nil for the default advice.
    /// - Throws: ``CommandFailure`` with the right command.
    func require(_ kinds: Set<FileKind>, _ wanted: String, textAdvice: String? = nil) throws {
        let found = try kind()
        if kinds.contains(found) { return }
        let usual = found.advice(name == Self.standardInput ? "-" : quoted(name))
        let words = found == .text ? textAdvice ?? usual : usual
        let advice = words.map { "; \($0)" } ?? "; name another file"
        let article = wanted.first.map { "aeiou".contains($0) } == true ? "an" : "a"
        throw CommandFailure.data("\(name) is not \(article) \(wanted) but \(found.text)\(advice)")
    }

    /// The probable kind of the file.
    func kind() throws -> FileKind { FileKind(try source().next()) }
}
