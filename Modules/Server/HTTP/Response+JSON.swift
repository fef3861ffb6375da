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
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
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
