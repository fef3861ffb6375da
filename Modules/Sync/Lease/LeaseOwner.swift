#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Names holders of a store's sync lease, and knows whether such a holder's process is running.
public struct LeaseOwner: Sendable {
    /// A name for this holder that another process can judge.
    public var name: String
    /// Whether the process of the holder of that name is running; nil if that is not known.
    public var isAlive: @Sendable (_ name: String) -> Bool?

    /// Names this holder, and says how to tell whether another one's process is running.
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
