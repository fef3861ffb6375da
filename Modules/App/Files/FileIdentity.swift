import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells a file from another one that has taken its name.
struct FileIdentity: Equatable {
    private let number: UInt64
    private let fileSystem: UInt64

    /// The file or folder that the name leads to, links followed; nil where there is none.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        number = UInt64(status.st_ino)
        fileSystem = UInt64(truncatingIfNeeded: status.st_dev)
    }
}
