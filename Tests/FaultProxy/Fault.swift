public import Foundation

/// What happens to one exchange of a request and its answer.
public enum Fault: Sendable {
    /// The connection is reset before the server sees the request.
    case resetBeforeRequest
    /// The server answers, so what was asked for is committed, but the connection is reset before the answer.
    case loseAnswer
    /// So many bytes of the answer arrive, then the connection is reset.
    case truncateAnswer(after: Int)
    /// So many bytes of the answer arrive, then the connection is closed in good order.
    case endAnswer(after: Int)
    /// The answer comes that much later.
    case delayAnswer(Duration)
    /// The request reaches the server that much later.
    case delayRequest(Duration)
    /// The answer is held back until ``FaultProxy/release()``; the server has the request already.
    case holdAnswer
    /// The answer comes in pieces of so many bytes, with a pause after each.
    case trickle(bytes: Int, every: Duration)
    /// The body is changed on its way; a name for traces, and what becomes of the body.
    case rewriteBody(String, @Sendable (Data) -> Data)
    /// The answer has another content type than the server gave it.
    case relabel(contentType: String)
    /// This answer is given in the server's place; the server never sees the request.
    case answer(Reply)
    /// The server does what it is asked for, and then this is answered in place of what it said.
    case answerAfterwards(Reply)
    /// A body of a declared length, filled with one byte; as much of it as the client takes.
    case giganticBody(bytes: Int)
    /// A chunked body without end.
    case endlessBody

    /// Bytes of the body turned over: no JSON any more, with the length that was declared.
    public static let flipBytes = Fault.rewriteBody("flipped bytes") { body in
        Data(body.enumerated().map { $0.offset % 7 == 3 ? ~$0.element : $0.element })
    }

    /// JSON that breaks off, in an answer that is whole.
    public static let breakJSON = Fault.rewriteBody("broken JSON") { $0.prefix($0.count / 2) }
}

extension Fault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .resetBeforeRequest: "reset before the request"
        case .loseAnswer: "answer lost"
        case .truncateAnswer(let bytes): "reset after \(bytes) bytes of the answer"
        case .endAnswer(let bytes): "end after \(bytes) bytes of the answer"
        case .delayAnswer(let time): "answer delayed by \(time)"
        case .delayRequest(let time): "request delayed by \(time)"
        case .holdAnswer: "answer held back"
        case .trickle(let bytes, let pause): "\(bytes) bytes every \(pause)"
        case .rewriteBody(let name, _): name
        case .relabel(let type): "content type \(type)"
        case .answer(let reply): "answered \(reply.status)"
        case .answerAfterwards(let reply): "committed, then answered \(reply.status)"
        case .giganticBody(let bytes): "a body of \(bytes) bytes"
        case .endlessBody: "a body without end"
        }
    }
}
