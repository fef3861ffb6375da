import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP connection that stays open for as long as a test wants.
final class RawConnection: Sendable {
    private let descriptor: Int32

    /// Connects to a port of this machine.
    ///
    /// - Parameter patience: How long to wait for an answer, in seconds.
    init(port: Int, patience: Int = 60) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var time = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let connected = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Sends text; says whether it could.
    @discardableResult
    func send(_ text: String) -> Bool {
        let data = Data(text.utf8)
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return data.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) } == data.count
    }

    /// The first bytes that come; "" where the other end closes, nil where nothing comes.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 { return errno == ECONNRESET ? "" : nil }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
