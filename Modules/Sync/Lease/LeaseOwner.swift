#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who holds a store's sync lease, and whether such a holder still lives.
public struct LeaseOwner: Sendable {
    /// A name for this holder that another process can judge.
    public var name: String
    /// Whether the holder of that name still lives; nil where that cannot be told.
    public var isAlive: @Sendable (_ name: String) -> Bool?

    /// Names this process, and says how another is told to be alive.
    public init(name: String, isAlive: @escaping @Sendable (_ name: String) -> Bool?) {
        self.name = name
        self.isAlive = isAlive
    }

    /// This process. A lease whose process has died on this machine is free at once.
    public static let process = LeaseOwner(name: "\(getpid())@\(hostName())") { name in
        let parts = name.split(separator: "@", maxSplits: 1)
        guard parts.count == 2, parts[1] == hostName(), let pid = pid_t(parts[0]) else { return nil }
        return kill(pid, 0) == 0 || errno == EPERM
    }

    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "localhost" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
