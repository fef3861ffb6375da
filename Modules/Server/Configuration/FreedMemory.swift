#if canImport(Glibc)
    import Glibc
#endif

/// What becomes of memory that is freed.
enum FreedMemory {
    #if canImport(Glibc)
        private typealias SetOption = @convention(c) (Int32, Int32) -> Int32

        /// `M_MMAP_THRESHOLD` and `M_ARENA_MAX` of glibc's `malloc.h`, which Swift does not see.
        private static let (threshold, mostArenas) = (Int32(-3), Int32(-8))
    #endif

    /// Has what is freed of large answers and bodies go back to the system.
    ///
    /// glibc raises the size from which on blocks go back each time when one is freed, up to 32 MiB, and keeps what is
    /// smaller for each of many threads: a server that had sent 150 MB kept 700 MB. Elsewhere nothing is to be done.
    static func giveBack() {
        #if canImport(Glibc)
            guard let symbol = dlsym(nil, "mallopt") else { return }
            let setOption = unsafeBitCast(symbol, to: SetOption.self)
            _ = setOption(threshold, 256 << 10)
            _ = setOption(mostArenas, 4)
        #endif
    }
}
