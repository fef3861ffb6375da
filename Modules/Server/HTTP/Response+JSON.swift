import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TrendyDomain

extension Response {
    /// An answer whose body is JSON already.
    init(_ status: HTTPResponse.Status = .ok, json: Data, contentType: String = "application/json") {
        self.init(
            status: status, headers: [.contentType: contentType],
            body: ResponseBody(pieces: ByteBuffer(bytes: json)))
    }

    /// An answer with a value as its body.
    init(_ status: HTTPResponse.Status = .ok, encoding value: some Encodable) throws {
        self.init(status, json: try WireCoding.encode(value))
    }

    /// The answer to a write.
    init(_ reply: WriteReply) {
        let status = reply.outcome.status
        if let document = reply.document {
            self.init(status, json: document)
        } else {
            self.init(status: status)
        }
        if reply.isReplay { headers.set(HeaderName.idempotencyReplayed, "true") }
    }
}

extension WriteReply.Outcome {
    var status: HTTPResponse.Status {
        switch self {
        case .created: .created
        case .replaced, .updated: .ok
        case .deleted: .noContent
        case .partlyCreated: HTTPResponse.Status(code: 207, reasonPhrase: "Multi-Status")
        case .noneCreated: .badRequest
        }
    }
}

extension ResponseBody {
    /// A body that is handed to the connection in pieces, each when the client has taken most of those before.
    init(pieces buffer: ByteBuffer) {
        if buffer.readableBytes <= pieceSize {
            self.init(byteBuffer: buffer)
        } else {
            self.init(contentLength: buffer.readableBytes) { writer in
                try await writer.write(contentsOf: buffer.pieces)
                try await writer.finish(nil)
            }
        }
    }

    /// A body with the same content that keeps its share of the memory until it is sent. A body of one piece is handed
    /// over at once, and keeps nothing.
    func holding(_ memory: MemoryShare) -> ResponseBody {
        if let contentLength, contentLength <= pieceSize { return self }
        return ResponseBody(contentLength: contentLength) { [self] writer in
            try await write(writer)
            withExtendedLifetime(memory) {}
        }
    }
}

extension ByteBuffer {
    /// The same bytes in pieces, which are not copied.
    var pieces: [ByteBuffer] {
        var (rest, pieces) = (self, [ByteBuffer]())
        while rest.readableBytes > 0, let piece = rest.readSlice(length: min(rest.readableBytes, pieceSize)) {
            pieces.append(piece)
        }
        return pieces
    }
}

/// Bytes that are handed to a connection at once: as many as it takes before it says that it is full.
private let pieceSize = 1 << 16
