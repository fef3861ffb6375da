import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Something on a port that is no Trendy server: it gives every request the same answer.
final class StandInServer: Sendable {
    let address: String
    private let listener: Int32

    /// - Parameters:
    ///   - status: The status line without the version: `200 OK`.
    ///   - headers: Further headers, each `Name: value`.
    init(status: String, headers: [String] = [], body: String) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let opened = socket(AF_INET, stream, 0)
        listener = opened
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(opened, generic, length) == 0 && listen(opened, 16) == 0
                    && getsockname(opened, generic, &length) == 0
            }
        }
        guard bound else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        address = "http://127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
        let head =
            ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"] + headers
        let reply = Data((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        Thread.detachNewThread {
            while true {
                let connection = accept(opened, nil, nil)
                if connection < 0 { return }
                Self.answer(connection, with: reply)
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Reads the head of the request, and the body so far as it has come with it, then answers and hangs up.
    private static func answer(_ connection: Int32, with reply: Data) {
        var request = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !request.contains("\r\n\r\n".utf8) {
            let count = read(connection, &buffer, buffer.count)
            if count <= 0 { break }
            request += buffer[..<count]
        }
        _ = reply.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
        shutdown(connection, Int32(SHUT_WR))
        while read(connection, &buffer, buffer.count) > 0 {}
        close(connection)
    }
}
