import HTTPTypes
import Hummingbird

/// One method on one path.
struct Route: Sendable {
    /// Who may use a route.
    enum Access: Sendable, Hashable {
        /// Anyone.
        case open
        /// Anyone, but few times a minute.
        case signIn
        /// Who has an access token.
        case user
        /// Who has an access token and gives the password too, but few times a minute.
        case password
    }

    typealias Handler = @Sendable (Request, ServerRequestContext) async throws -> Response

    let method: HTTPRequest.Method
    /// The path with its parameters in braces, as OpenAPI writes it.
    let path: String
    let access: Access
    let handler: Handler

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access = .user, _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.handler = handler
    }
}

/// The path under which everything but `/health` lies.
let basePath = "/api/v1"
