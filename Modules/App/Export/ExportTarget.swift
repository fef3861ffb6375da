import Foundation
import TrendyTerminal

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The destination of an export: standard output, or a file that appears when it is complete.
@MainActor
struct ExportTarget {
    /// The file; nil for standard output.
    let path: String?
    let context: CommandContext
    /// Whether an existing file is kept, and nothing is written.
    var keepsOther = false

    /// The file that appears when it is complete; nil for a pipe or a device.
    var file: String? {
        guard let path, case .file? = try? ExportPlace(path).kind else { return nil }
        return path
    }

    /// Whether it is standard output, also by another name. Nothing else may be written there then.
    var isStandardOutput: Bool {
        guard let path else { return true }
        return Output.isStream(path) && context.output.isReached(by: path)
    }

    /// Refuses a file of Trendy itself, and an existing file that must be kept, before the work starts.
    func requireFree() throws {
        if let path { try context.ownFiles.refuse(path, "name another file") }
        if keepsOther, let path, access(path, F_OK) == 0 { throw Self.taken(path) }
    }

    /// Calls a function that writes. An existing file is replaced when the new one is complete.
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

    /// Writes into a pipe, a terminal or another device.
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

    /// Renames a file unless the name exists, even if another process created it meanwhile.
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
            .cannotCreate, "\(path) exists already and was not changed; replace it with '--output \(path)'")
    }

    nonisolated static func failure(_ path: String) -> CommandFailure {
        FileFailure.writing(path, errno)
    }
}

/// The path of an export, and what exists there.
@MainActor
struct ExportPlace {
    enum Kind {
        /// A pipe or a device.
        case stream
        /// A regular file, with the attributes of an existing one.
        case file(Attributes?)
    }

    /// The attributes that a replaced file passes on.
    struct Attributes {
        let mode: mode_t
        let owner: uid_t
        let group: gid_t

        init(_ found: [FileAttributeKey: Any]) {
            mode = (found[.posixPermissions] as? NSNumber).map { mode_t($0.uint16Value) & 0o7777 } ?? 0o600
            owner = (found[.ownerAccountID] as? NSNumber)?.uint32Value ?? getuid()
            group = (found[.groupOwnerAccountID] as? NSNumber)?.uint32Value ?? getgid()
        }

        /// Sets the attributes of the new file.
        func apply(to descriptor: Int32, path: String) throws {
            // Only the superuser can change the owner of a file.
            _ = fchown(descriptor, owner, group)
            guard fchmod(descriptor, mode) == 0 else { throw ExportTarget.failure(path) }
        }
    }

    /// The maximum number of symbolic links in a chain, as on Linux.
    private static let linkLimit = 40

    /// The path: of a file with its links followed, of a stream as given.
    let path: String
    let kind: Kind

    /// Examines a path.
    ///
    /// - Throws: ``CommandFailure`` for a folder, and for a path that cannot be examined.
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

    /// Follows symbolic links, even to files that do not exist yet.
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
