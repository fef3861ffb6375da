import Foundation
import Synchronization

/// Connections to a server that send requests one after the other, each from a thread of its own.
///
/// Requests are bytes that were made before, so that the two cores of a small machine are the server's.
struct HTTPLoad {
    let port: Int

    /// The seconds that each request took, in no order, and those that were not answered with a status of success.
    struct Result {
        var times: [Double] = []
        var failures = 0
        var seconds = 0.0

        /// Itself, where every request was answered with success.
        func checked() throws -> Result {
            guard failures == 0 else {
                throw ChildFailure(description: "\(failures) of \(times.count) requests were refused")
            }
            return self
        }

        func percentile(_ part: Double) -> Double {
            let sorted = times.sorted()
            return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
        }
    }

    /// Sends the requests of each list on a connection of its own.
    func run(_ lists: [[Data]]) throws -> Result {
        let result = Mutex(Result())
        let group = DispatchGroup()
        let sockets = try lists.map { _ in try HTTPConnection(port: port) }
        let start = ContinuousClock.now
        for (socket, requests) in zip(sockets, lists) {
            group.enter()
            Thread.detachNewThread {
                var own = Result()
                for request in requests {
                    let begin = ContinuousClock.now
                    let status = (try? socket.send(request).status) ?? 0
                    own.times.append((ContinuousClock.now - begin) / .seconds(1))
                    if !(200..<300).contains(status) { own.failures += 1 }
                }
                result.withLock { [own] in
                    $0.times += own.times
                    $0.failures += own.failures
                }
                group.leave()
            }
        }
        group.wait()
        return result.withLock {
            $0.seconds = (ContinuousClock.now - start) / .seconds(1)
            return $0
        }
    }

    /// The bytes of a request to our server.
    static func request(_ method: String, _ path: String, token: String? = nil, body: Data = Data()) -> Data {
        request(method, to: "/api/v1/\(path)", authorization: token.map { "Bearer \($0)" }, body: body)
    }

    /// The bytes of a request to any server.
    static func request(_ method: String, to path: String, authorization: String?, body: Data = Data()) -> Data {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: bench\r\nContent-Length: \(body.count)\r\n"
        if !body.isEmpty { head += "Content-Type: application/json\r\n" }
        if let authorization { head += "Authorization: \(authorization)\r\n" }
        return Data((head + "\r\n").utf8) + body
    }
}

/// One connection, which waits for each answer.
final class HTTPConnection: Sendable {
    private let socket: Int32

    init(port: Int) throws {
        socket = Self.makeSocket()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
        }
        guard code == 0 else { throw ChildFailure(description: "no connection to port \(port): error \(errno)") }
    }

    deinit { close(socket) }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    /// Sends a request, and reads its answer. The server tells the length of the body.
    func send(_ request: Data) throws -> (status: Int, body: Data) {
        try request.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Foundation.send(socket, bytes.baseAddress.map { $0 + sent }, bytes.count - sent, 0)
                guard count > 0 else { throw ChildFailure(description: "the connection is closed") }
                sent += count
            }
        }
        var answer = Data()
        var whole: (head: Int, length: Int)?
        while true {
            if whole == nil, let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) {
                whole = (end.upperBound, Self.length(in: answer[..<end.lowerBound]))
            }
            if let whole, answer.count >= whole.head + whole.length {
                let status = Int(String(decoding: answer.prefix(12).suffix(3), as: UTF8.self)) ?? 0
                return (status, Data(answer[whole.head...]))
            }
            // Memory that is cleared for each piece would cost more than the piece.
            let count = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { piece in
                let count = recv(socket, piece.baseAddress, piece.count, 0)
                if count > 0 { answer.append(contentsOf: piece[..<count]) }
                return count
            }
            guard count > 0 else { throw ChildFailure(description: "the connection is closed") }
        }
    }

    private static func length(in head: Data) -> Int {
        for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            return Int(parts[1].trimmingCharacters(in: .whitespaces)) ?? 0
        }
        return 0
    }
}
