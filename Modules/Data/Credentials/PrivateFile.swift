import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the system said when it refused a call.
struct SystemCallError: Error, CustomStringConvertible {
    /// The value of `errno`.
    let code: Int32
    let description: String

    /// Takes the reason from `errno`, right after the call.
    init(_ call: String) {
        code = errno
        description = "\(call): \(String(cString: strerror(errno)))"
    }
}

/// Files that only their owner may read, from the moment they exist.
enum PrivateFile {
    /// Makes a file with mode 0600, writes all of the data, and waits until the disk has it.
    static func make(_ path: String, holding data: Data) throws(SystemCallError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(0o600))
        guard descriptor >= 0 else { throw SystemCallError("open") }
        defer { close(descriptor) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemCallError("write")
            }
            rest = rest.dropFirst(count)
        }
        try Disk.sync(descriptor)
    }

    /// The bytes of a short file; nil if there is none. Reading through Foundation takes longer than most commands do.
    static func contents(of path: String) throws(SystemCallError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemCallError("open")
        }
        defer { close(descriptor) }
        var data = Data()
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return data }
            if count > 0 {
                data.append(contentsOf: piece.prefix(count))
            } else if errno != EINTR {
                throw SystemCallError("read")
            }
        }
    }
}

/// The disk, for steps that count as done only when it has what was written.
enum Disk {
    /// Waits until the disk has what is in a file, or the names that are in a folder, so that they survive a power cut.
    static func sync(_ path: String) throws(SystemCallError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemCallError("open") }
        defer { close(descriptor) }
        try sync(descriptor)
    }

    static func sync(_ descriptor: Int32) throws(SystemCallError) {
        #if canImport(Darwin)
            // There fsync leaves the data in the drive's cache; not every file system has the stronger call.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw SystemCallError("fsync") }
    }
}

/// A lock between processes; the system gives it back when the process ends, however it ends.
final class FileLock: CredentialLock {
    private let descriptor: Int32

    /// Takes the lock; nil where another holds it.
    init?(path: String) throws(SystemCallError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw SystemCallError("open") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = SystemCallError("flock")
            close(descriptor)
            if reason.code == EWOULDBLOCK { return nil }
            throw reason
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
