import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A request as it arrived.
struct ReceivedRequest: Sendable {
    var method = ""
    /// Path and query.
    var target = ""
    /// By name in lower case.
    var headers: [String: String] = [:]
    var body = Data()
    /// Which connection of the server it came over, from 0.
    var connection = 0

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// What the server does in answer to a request, step by step.
enum ServerStep: Sendable {
    case send(Data)
    /// Holds still until the client goes away.
    case hang
    /// Sends the bytes one by one, with so many milliseconds between them, until the client goes away.
    case trickle(Data, everyMilliseconds: Int32)
    /// Sends the piece over and over until the client goes away.
    case flood(Data)
    /// Holds still until the gate opens.
    case wait(Gate)
    /// Sends no more, and leaves the connection open for what the client sends.
    case finish
    case close
    /// Closes in a way that the client sees as a reset.
    case reset
    #if os(Linux)
        /// Drops without a word what arrives from now on, as a router does that has forgotten the connection.
        case vanish
    #endif
}

/// Opens once, for everyone who waits.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Mutex(false)

    func open() {
        condition.lock()
        isOpen.withLock { $0 = true }
        condition.broadcast()
        condition.unlock()
    }

    func wait() {
        condition.lock()
        while !isOpen.withLock({ $0 }) { condition.wait() }
        condition.unlock()
    }
}

/// A server on a real socket of the loopback device that answers exactly what it is told.
final class LoopbackServer: Sendable {
    typealias Handler = @Sendable (ReceivedRequest) -> [ServerStep]

    let port: UInt16
    private let listener: Int32
    private let handler: Handler
    private let isReadingBodies: Bool
    private let received = Mutex<[ReceivedRequest]>([])
    private let connections = Mutex(0)
    /// Bytes that floods have sent.
    let floodedBytes = Mutex(0)

    /// - Parameter isReadingBodies: Whether requests are read to their end. If not, one connection has one request.
    init(isReadingBodies: Bool = true, _ handler: @escaping Handler) throws {
        self.isReadingBodies = isReadingBodies
        self.handler = handler
        let listener = systemSocket()
        guard listener >= 0 else { throw POSIXError(.ENOTSOCK) }
        var address = loopbackAddress(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, size) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, generic, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in acceptAll() }
    }

    func stop() {
        // The accepting thread closes it: closed here, its number could be another server's before that thread looks.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var url: String { "http://127.0.0.1:\(port)" }
    /// Every request so far.
    var requests: [ReceivedRequest] { received.withLock { $0 } }
    var connectionCount: Int { connections.withLock { $0 } }

    func requests(_ target: String) -> [ReceivedRequest] { requests.filter { $0.target == target } }

    private func acceptAll() {
        while true {
            let socket = accept(listener, nil, nil)
            if socket < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                close(listener)
                return
            }
            let number = connections.withLock { count in
                defer { count += 1 }
                return count
            }
            Thread.detachNewThread { [self] in
                Connection(socket: socket, number: number, isReadingBodies: isReadingBodies).serve { request in
                    received.withLock { $0.append(request) }
                    return handler(request)
                } flooded: { count in
                    floodedBytes.withLock { $0 += count }
                }
            }
        }
    }
}

private func systemSocket() -> Int32 {
    #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
        socket(AF_INET, SOCK_STREAM, 0)
    #endif
}

private func loopbackAddress(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

/// A port of the loopback device at which nothing listens.
func unusedPort() throws -> UInt16 {
    let server = try LoopbackServer { _ in [] }
    server.stop()
    return server.port
}

/// One connection, served until either side ends it.
private struct Connection {
    let socket: Int32
    let number: Int
    let isReadingBodies: Bool

    func serve(_ answer: (ReceivedRequest) -> [ServerStep], flooded: (Int) -> Void) {
        #if canImport(Darwin)
            var on: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var buffer = Data()
        defer { close(socket) }
        while let request = readRequest(&buffer) {
            for step in answer(request) where !perform(step, flooded: flooded) { return }
        }
    }

    /// Answers whether the connection goes on.
    private func perform(_ step: ServerStep, flooded: (Int) -> Void) -> Bool {
        switch step {
        case .send(let data):
            return send(data)
        case .hang:
            while !isClosed(withinMilliseconds: 1_000) {}
            return false
        case .trickle(let data, let milliseconds):
            for byte in data {
                guard send(Data([byte])), !isClosed(withinMilliseconds: milliseconds) else { return false }
            }
            return true
        case .flood(let piece):
            while send(piece) { flooded(piece.count) }
            return false
        case .wait(let gate):
            gate.wait()
            return true
        case .finish:
            return shutdown(socket, Int32(SHUT_WR)) == 0
        case .close:
            return false
        #if os(Linux)
            case .vanish:
                dropEverything(at: socket)
                return true
        #endif
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return false
        }
    }

    private func send(_ data: Data) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemSend(socket, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until the client closes, or the time is over.
    private func isClosed(withinMilliseconds timeout: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard systemPoll(&poll, timeout) > 0 else { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK)) <= 0
    }

    private func readRequest(_ buffer: inout Data) -> ReceivedRequest? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let headEnd = buffer.range(of: end) {
                var request = parse(buffer[..<headEnd.lowerBound])
                let announced = request.headers["content-length"].flatMap(Int.init) ?? 0
                let length = isReadingBodies ? announced : 0
                while buffer.count < headEnd.upperBound - buffer.startIndex + length {
                    guard read(into: &buffer) else { return nil }
                }
                let bodyStart = buffer.range(of: end)!.upperBound
                request.body = Data(buffer[bodyStart..<bodyStart + length])
                buffer = Data(buffer[(bodyStart + length)...])
                return request
            }
            guard read(into: &buffer) else { return nil }
        }
    }

    private func read(into buffer: inout Data) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: chunk[..<count])
        return true
    }

    private func parse(_ head: Data) -> ReceivedRequest {
        var request = ReceivedRequest(connection: number)
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        request.method = String(words[0])
        request.target = String(words[1])
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            request.headers[line[..<colon].lowercased()] = value
        }
        return request
    }
}

#if os(Linux)
    /// Has the system drop what arrives at a socket before it is confirmed: a filter that lets nothing through.
    private func dropEverything(at socket: Int32) {
        struct Program {
            var length: UInt16 = 1
            var instructions: UnsafeMutableRawPointer?
        }
        // One instruction: "return 0", BPF_RET | BPF_K.
        var instruction: UInt64 = 0x06
        withUnsafeMutableBytes(of: &instruction) { bytes in
            var program = Program(instructions: bytes.baseAddress)
            setsockopt(socket, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<Program>.size))
        }
    }
#endif

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
    send(socket, bytes, count, flags)
}

private func systemPoll(_ descriptor: inout pollfd, _ timeout: Int32) -> Int32 {
    poll(&descriptor, 1, timeout)
}
