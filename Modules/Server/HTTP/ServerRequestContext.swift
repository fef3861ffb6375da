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
    /// The name of the request in the log and in problems.
    public var requestId = ""
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
