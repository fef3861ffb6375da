import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells other processes that a server's database is in use.
///
/// Who serves it, or works on it beside a server, shares the lock. Who puts another database in its place, or moves it
/// away, has it alone. The system gives it back when the process ends, however it ends (flock(2)).
final class DataLock: Sendable {
    /// Whether others may have the lock too.
    enum Kind {
        case shared, exclusive
    }

    private let descriptor: Int32

    /// Takes the lock, which is a file beside the database.
    ///
    /// - Throws: ``ServerStartError``: of case ``ServerStartError/inUse(file:isServed:)`` where somebody else has it.
    init(of file: URL, _ kind: Kind) throws(ServerStartError) {
        let path = file.path(percentEncoded: false)
        let made = open(path + ".lock", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        if made >= 0 { DatabaseFile.giveToOwner(ofFolder: file, made) }
        let descriptor = made >= 0 ? made : open(path + ".lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw .inaccessible(path: path + ".lock", reason: String(cString: strerror(errno)))
        }
        // A file system without such locks is used without them.
        if flock(descriptor, (kind == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(descriptor)
            throw .inUse(file: path, isServed: kind == .exclusive)
        }
        // Only now: from here on deinit closes it, also where an initializer throws.
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
