public import Foundation
import Synchronization
import TrendyDomain

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Credentials in a file that only its owner can read.
///
/// The file has mode 0600 from the moment it exists, and replaces the former one in one step. A reader finds the old
/// or the new credentials whole, also after a crash or a power cut.
public final class FileCredentialStore: CredentialStore {
    /// What tells one version of the file from another.
    private struct Version: Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64
    }

    private struct Cached {
        let version: Version
        let credentials: Credentials
    }

    /// Where the credentials are kept.
    public var file: URL { URL(fileURLWithPath: path) }
    private let path: String
    private let cache = Mutex<Cached?>(nil)

    /// Makes a store over a file, which need not exist; its folder is made when something is saved.
    public convenience init(file: URL) {
        self.init(path: file.path)
    }

    /// Makes a store over the file of that path.
    ///
    /// If there is no file, as on a device without a sign-in, loading takes one access to the file system and makes
    /// no URL.
    public init(path: String) {
        self.path = path
    }

    /// Reads the file; none where there is no file.
    public func load() throws -> Credentials? {
        guard let version = try currentVersion() else { return nil }
        if let cached = cache.withLock({ $0 }), cached.version == version { return cached.credentials }
        let data: Data
        do throws(SystemCallError) {
            guard let read = try PrivateFile.contents(of: path) else { return nil }
            data = read
        } catch {
            let remedy = error.code == EACCES ? "chmod 600 '\(path)', or remove it" : "remove it"
            throw inaccessible("\(error.description); \(remedy) and sign in again")
        }
        let credentials: Credentials
        do {
            credentials = try WireCoding.decode(Credentials.self, from: data)
        } catch let error as DecodingError {
            throw CredentialStoreError.damaged(path: path, reason: error.inWords)
        }
        cache.withLock { $0 = Cached(version: version, credentials: credentials) }
        return credentials
    }

    /// Replaces the file in one step, readable by its owner alone.
    public func save(_ credentials: Credentials) throws {
        let data = try WireCoding.encode(credentials)
        try makeFolder()
        let temporary = path + ".\(getpid())-\(UInt64.random(in: .min ... .max))"
        do throws(SystemCallError) {
            try PrivateFile.make(temporary, holding: data)
            guard rename(temporary, path) == 0 else { throw SystemCallError("rename") }
            try Disk.sync(file.deletingLastPathComponent().path)
        } catch {
            unlink(temporary)
            throw inaccessible(error.description)
        }
    }

    /// Removes the file, where there is one.
    public func clear() throws {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw inaccessible(SystemCallError("unlink").description)
    }

    /// Locks a file beside it, so that one process at a time renews the tokens.
    public func lockForRenewal() throws -> (any CredentialLock)? {
        try makeFolder()
        do throws(SystemCallError) {
            return try FileLock(path: path + ".lock")
        } catch {
            throw inaccessible(error.description)
        }
    }

    private func currentVersion() throws -> Version? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw inaccessible("\(SystemCallError("stat").description); check the permissions of its folder")
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw inaccessible("it is a folder; move it away, and sign in again") }
        #if canImport(Darwin)
            let changed = status.st_mtimespec
        #else
            let changed = status.st_mtim
        #endif
        return Version(
            inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int64(changed.tv_sec),
            nanoseconds: Int64(changed.tv_nsec))
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw inaccessible(error.localizedDescription)
        }
    }

    private func inaccessible(_ reason: String) -> CredentialStoreError {
        .inaccessible(path: path, reason: reason)
    }
}
