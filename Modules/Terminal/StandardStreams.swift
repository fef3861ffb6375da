#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The three descriptors that a program gets from who starts it, any of which may be closed: `trendy log - <&-`.
package enum StandardStreams {
    /// No descriptor: what is read from it or written to it fails as with a closed one.
    package static let closed: Int32 = -1

    /// Takes the places of the closed ones, so that no file of the program's own becomes one of them.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free one is taken, which is this one; it is for the direction that nobody uses.
            _ = open("/dev/null", (descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
        }
    }

    /// The descriptor where it came from who started the program, else ``closed``.
    ///
    /// The system's libraries may have opened something in its place before the program began. What they open is closed
    /// when another program is executed, and what was inherited therefore is not.
    package static func inherited(_ descriptor: Int32) -> Int32 {
        let flags = fcntl(descriptor, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0 ? descriptor : closed
    }
}
