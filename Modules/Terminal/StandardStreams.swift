#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The standard descriptors, which the parent process may have closed: `trendy log - <&-`.
package enum StandardStreams {
    /// An invalid descriptor; reads and writes fail like on a closed one.
    package static let closed: Int32 = -1

    /// Opens the closed descriptors, so that no other file of the program gets their numbers.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // open() returns the lowest free descriptor, which is this one; it is opened for the unused direction.
            _ = open("/dev/null", (descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
        }
    }

    /// The descriptor if the parent process passed it, otherwise ``closed``.
    ///
    /// System libraries may have opened a file with this number. Such files have the close-on-exec flag, and inherited ones
    /// do not.
    package static func inherited(_ descriptor: Int32) -> Int32 {
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0 ? descriptor : closed
    }
}
