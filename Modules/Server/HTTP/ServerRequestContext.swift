import Foundation
public import Hummingbird
public import NIOCore

/// What is known of a request beside its head and body.
public struct ServerRequestContext: RequestContext {
    /// What Hummingbird keeps with a request.
    public var coreContext: CoreRequestContextStorage
    /// The connection that the request came from.
    public let channel: any Channel
    /// The other end of the connection, which may be a proxy; empty where there is no socket.
    public let remoteAddress: String
    /// Under which name the client is counted: its address, also where it comes through a trusted proxy.
    var client = ""
    /// The name of the request in the log and in problems.
    public var requestId = ""
    /// What the log is told of it beside its head.
    let trace = RequestTrace()
    /// What its body and its answer take of what all requests may hold; nil where nothing counts it.
    var memory: RequestMemory?
    /// Who sent it, on routes that ask for a token.
    public var user: AuthenticatedUser?

    /// Makes the context of a request that has just come in.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? ""
    }
}

extension ServerRequestContext {
    /// Counts bytes of the body, as they come in.
    func takeBody(_ bytes: Int) throws { try memory?.body.take(bytes, for: holder) }

    /// What counts bytes of the answer, until it is sent.
    var answerRoom: AnswerRoom { AnswerRoom(share: memory?.answer, holder: holder) }

    /// Who the memory belongs to: the user, or the client's address where nobody has signed in.
    private var holder: String { user.map { "user \($0.userId)" } ?? "address \(client)" }

    /// The id in the path.
    func requireId() throws -> String {
        let id = try parameters.require("id")
        return id.removingPercentEncoding ?? id
    }

    /// The user, who is known on every route that asks for a token.
    func requireUser() throws -> AuthenticatedUser {
        guard let user else { throw ServerProblem(.unauthorized, "sign in first") }
        return user
    }
}
