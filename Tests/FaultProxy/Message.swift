import Foundation
import NIOCore

/// A whole message of HTTP/1.1, a request or an answer.
struct Message: Sendable {
    /// The first line.
    var start: String
    var headers: [(name: String, value: String)]
    /// Without the framing of chunks.
    var body: Data
    /// The message as it came.
    var raw: Data

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// The bytes of the same message with another body, or another content type.
    func bytes(body: Data, contentType: String? = nil) -> Data {
        let replaced = ["content-length", "transfer-encoding"] + (contentType == nil ? [] : ["content-type"])
        var fields = headers.filter { !replaced.contains($0.name.lowercased()) }
        fields.append(("Content-Length", "\(body.count)"))
        if let contentType { fields.append(("Content-Type", contentType)) }
        let lines = [start] + fields.map { "\($0.name): \($0.value)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// What came is no message.
struct BadMessage: Error {}

/// Reads messages of HTTP/1.1 off a stream of bytes: just enough of it to know where each ends.
struct MessageReader {
    private var bytes: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var buffer = Data()

    init(_ stream: NIOAsyncChannelInboundStream<ByteBuffer>) {
        bytes = stream.makeAsyncIterator()
    }

    /// The next bytes; nil at the end of the stream.
    private mutating func next() async throws -> Data? {
        try await bytes.next(isolation: #isolation).map { Data($0.readableBytesView) }
    }

    /// Reads one request. Answers nil where the stream ends before one begins.
    mutating func request() async throws -> Message? {
        guard var message = try await head() else { return nil }
        try await readBody(of: &message, isEndedByClose: false)
        return message
    }

    /// Reads one answer to a request with that method.
    mutating func answer(to method: String) async throws -> Message? {
        guard var message = try await head() else { return nil }
        let status = message.start.split(separator: " ").dropFirst().first ?? ""
        if method == "HEAD" || ["204", "304"].contains(status) || status.hasPrefix("1") { return message }
        try await readBody(of: &message, isEndedByClose: true)
        return message
    }

    private mutating func head() async throws -> Message? {
        let separator = Data("\r\n\r\n".utf8)
        while buffer.range(of: separator) == nil {
            guard let more = try await next() else {
                if buffer.isEmpty { return nil }
                throw BadMessage()
            }
            buffer += more
        }
        guard let end = buffer.range(of: separator)?.upperBound else { throw BadMessage() }
        let raw = take(end - buffer.startIndex)
        let lines = String(decoding: raw, as: UTF8.self).components(separatedBy: "\r\n")
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (String(line[..<colon]), value)
        }
        return Message(start: lines[0], headers: headers, body: Data(), raw: raw)
    }

    private mutating func readBody(of message: inout Message, isEndedByClose: Bool) async throws {
        if message.header("transfer-encoding")?.lowercased() == "chunked" {
            try await readChunks(of: &message)
        } else if let length = message.header("content-length") {
            guard let count = Int(length), count >= 0 else { throw BadMessage() }
            try await fill(count)
            message.body = take(count)
            message.raw += message.body
        } else if isEndedByClose {
            while let more = try await next() { buffer += more }
            message.body = take(buffer.count)
            message.raw += message.body
        }
    }

    private mutating func readChunks(of message: inout Message) async throws {
        while true {
            let line = try await self.line()
            message.raw += line
            let digits = String(decoding: line, as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16) else { throw BadMessage() }
            if size == 0 { break }
            try await fill(size + 2)
            let chunk = take(size + 2)
            message.raw += chunk
            message.body += chunk.dropLast(2)
        }
        while true {
            let trailer = try await line()
            message.raw += trailer
            if trailer.count == 2 { return }
        }
    }

    private mutating func line() async throws -> Data {
        while true {
            if let end = buffer.range(of: Data("\r\n".utf8)) { return take(end.upperBound - buffer.startIndex) }
            guard let more = try await next() else { throw BadMessage() }
            buffer += more
        }
    }

    private mutating func fill(_ count: Int) async throws {
        while buffer.count < count {
            guard let more = try await next() else { throw BadMessage() }
            buffer += more
        }
    }

    private mutating func take(_ count: Int) -> Data {
        let taken = Data(buffer.prefix(count))
        buffer = Data(buffer.dropFirst(count))
        return taken
    }
}
