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
        return Output.isStream(path) && context.output.isReached(by: path)
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

/// What is at the path that an export goes to.
@MainActor
struct ExportPlace {
    enum Kind {
        /// Something that is written into as it is: a pipe, a device.
        case stream
        /// A regular file, with its attributes where there is one already.
        case file(Attributes?)
    }

    /// What a file keeps when another takes its place.
    struct Attributes {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t

        init(_ found: [FileAttributeKey: Any]) {
            mode = (found[.posixPermissions] as? NSNumber).map { mode_t($0.uint16Value) & 0o7777 } ?? 0o600
            owner = (found[.ownerAccountID] as? NSNumber)?.uint32Value ?? getuid()
            group = (found[.groupOwnerAccountID] as? NSNumber)?.uint32Value ?? getgid()
        }

        /// Gives them to the file that takes the place.
        func apply(to descriptor: Int32, path: String) throws {
            // Only the superuser can give files away; what anybody else makes is their own.
            _ = fchown(descriptor, owner, group)
            guard fchmod(descriptor, mode) == 0 else { throw ExportTarget.failure(path) }
        }
    }

    /// How many links lead to each other before they are taken for a circle, as on Linux.
    private static let linkLimit = 40

    /// The path: that of a file without symbolic links at its end, that of a stream as it was given.
    let path: String
    let kind: Kind

    /// Looks at a path.
    ///
    /// - Throws: ``CommandFailure`` for a folder, and for what cannot be looked at.
    init(_ path: String) throws {
        if path.isEmpty { throw FileFailure.writing(path, ENOENT) }
        if Output.isStream(path) {
            self.path = path
            kind = .stream
            return
        }
        self.path = try Self.resolved(path)
        guard access(self.path, F_OK) == 0 else {
            guard errno == ENOENT else { throw ExportTarget.failure(path) }
            kind = .file(nil)
            return
        }
        let found: [FileAttributeKey: Any]
        do { found = try FileManager.default.attributesOfItem(atPath: self.path) } catch {
            throw FileFailure.writing(path, EACCES)
        }
        switch found[.type] as? FileAttributeType {
        case .typeRegular: kind = .file(Attributes(found))
        case .typeDirectory: throw FileFailure.writing(path, EISDIR)
        default: kind = .stream
        }
    }

    /// Follows symbolic links, also to files that do not exist yet.
    static func resolved(_ path: String) throws -> String {
        var path = path
        for _ in 0..<linkLimit {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count >= 0 else { return path }
            let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if target.hasPrefix("/") {
                path = target
            } else {
                let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                path = (folder.map(String.init) + [target]).joined(separator: "/")
            }
        }
        throw FileFailure.writing(path, ELOOP)
    }
}
