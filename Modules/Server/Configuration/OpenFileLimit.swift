#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How many files, with the connections, this process may have open at a time.
enum OpenFileLimit {
    #if canImport(Darwin)
        /// `OPEN_MAX`: more is refused, whatever the hard limit says.
        private static let highest: rlim_t = 10_240
    #else
        /// More than a server of this kind has a use for; the hard limit may be none.
        private static let highest: rlim_t = 65_536
    #endif
    #if canImport(Glibc)
        private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let files = RLIMIT_NOFILE
    #endif

    /// The limit as it is now.
    static var current: Int {
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return 256 }
        return Int(min(limit.rlim_cur, highest))
    }

    /// Raises the limit as far as the process may by itself.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return }
        let possible = min(limit.rlim_max, highest)
        guard limit.rlim_cur < possible else { return }
        limit.rlim_cur = possible
        // Where it is refused, the server gets along with what there is.
        _ = setrlimit(files, &limit)
    }
}
