import Foundation
import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where an export goes: standard output, or a file that appears when it is whole.
@MainActor
struct ExportTarget {
    /// The file, nil for standard output.
    let path: String?
    let context: CommandContext
    /// Whether a file that is there already is kept, and nothing written.
    var keepsOther = false

    /// The file that appears when it is whole; nil where what is written is gone at once, as into a pipe.
    var file: String? {
        guard let path, case .file? = try? ExportPlace(path).kind else { return nil }
        return path
    }

    /// Whether it is standard output, which nothing else may be said on then, or its pipe or device by another name.
    var isStandardOutput: Bool {
        guard let path else { return true }
        return ExportPlace.isStream(path) && context.output.isReached(by: path)
    }

    /// Refuses a file of Trendy's own, and one that is there already where it is to be kept: before work that would be
    /// for nothing.
    func requireFree() throws {
        if let path { try context.ownFiles.refuse(path, "name another file") }
        if keepsOther, let path, access(path, F_OK) == 0 { throw Self.taken(path) }
    }

    /// Writes by a function; a file takes the place of the one before when all of it is written.
    func write(_ body: (Output) throws -> Void) throws {
        guard let path, !isStandardOutput else {
            try body(context.output)
            return try context.output.flush()
        }
        try context.ownFiles.refuse(path, "name another file")
        let place = try ExportPlace(path)
        switch place.kind {
        case .stream: try writeStream(place.path, body)
        case .file(let attributes): try replace(place.path, attributes, body)
        }
    }

    /// Writes into a pipe, a terminal or the like, which stays what it is.
    private func writeStream(_ path: String, _ body: (Output) throws -> Void) throws {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        defer { close(descriptor) }
        let output = Output(descriptor: descriptor, name: path)
        try body(output)
        try output.flush()
    }

    private func replace(
        _ path: String, _ attributes: ExportPlace.Attributes?, _ body: (Output) throws -> Void
    ) throws {
        let temporary = "\(path).\(getpid()).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        do {
            defer { close(descriptor) }
            let output = Output(descriptor: descriptor, name: path)
            try body(output)
            try output.flush()
            try attributes?.apply(to: descriptor, path: path)
        } catch {
            unlink(temporary)
            throw error
        }
        guard try keepsOther ? place(temporary, at: path) : rename(temporary, path) == 0 else {
            let failure = Self.failure(path)
            unlink(temporary)
            throw failure
        }
    }

    /// Gives a file its name unless another has it; whoever came meanwhile was first.
    private func place(_ temporary: String, at path: String) throws -> Bool {
        if link(temporary, path) == 0 { return unlink(temporary) == 0 }
        let hasNoLinks = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno)
        if errno == EEXIST || (hasNoLinks && access(path, F_OK) == 0) {
            unlink(temporary)
            throw Self.taken(path)
        }
        return hasNoLinks && rename(temporary, path) == 0
    }

    private static func taken(_ path: String) -> CommandFailure {
        CommandFailure(
            .cannotCreate, "\(path) is there already and stays as it is; '--output \(path)' writes a new one over it")
    }

    nonisolated static func failure(_ path: String) -> CommandFailure {
        FileFailure.writing(path, errno)
    }
}
