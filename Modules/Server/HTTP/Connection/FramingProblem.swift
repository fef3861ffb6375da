import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import TrendyDomain

/// The answer to what is no HTTP request. No request has begun then, so that it comes from no route.
enum FramingProblem {
    /// Why the bytes are no request.
    static func problem(_ error: HTTPParserError) -> ServerProblem {
        switch error {
        case .headerOverflow:
            ServerProblem(.headTooLarge, "the head of the request is larger than the server reads")
        case .invalidContentLength, .unexpectedContentLength:
            ServerProblem(.badRequest, "the length of the body is no number, or is given twice")
        case .invalidChunkSize: ServerProblem(.badRequest, "the size of a chunk of the body is no number")
        case .invalidHeaderToken: ServerProblem(.badRequest, "a header is none of an HTTP request")
        case .invalidMethod, .invalidURL, .invalidVersion, .invalidHost, .invalidPath, .invalidPort,
            .invalidQueryString, .invalidFragment:
            ServerProblem(.badRequest, "the first line is none of an HTTP request")
        default: ServerProblem(.badRequest, "what was sent is no HTTP request")
        }
    }

    /// The parts of the answer, after which the connection is to be closed.
    static func answer(_ problem: ServerProblem, requestId: String, allocator: ByteBufferAllocator) -> [Part] {
        let body = problem.json(requestId: requestId)
        var fields = HTTPHeaders()
        fields.add(name: "Content-Type", value: "application/problem+json")
        fields.add(name: "Content-Length", value: String(body.count))
        fields.add(name: "Connection", value: "close")
        fields.add(name: "Cache-Control", value: "no-store")
        fields.add(name: HeaderName.requestId, value: requestId)
        let status = HTTPResponseStatus(statusCode: problem.kind.status)
        return [
            .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields)),
            .body(.byteBuffer(allocator.buffer(bytes: body))), .end(nil),
        ]
    }

    typealias Part = HTTPServerResponsePart
}
