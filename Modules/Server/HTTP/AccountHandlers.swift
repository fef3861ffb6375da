import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handlers of signing up, in and out.
struct AccountHandlers: Sendable {
    let accounts: AccountService
    let limits: ServerConfiguration.Limits
    let blocking: BlockingWork

    private struct CredentialsBody: Decodable {
        var email: String
        var password: String
        /// Looked at by a sign-up alone.
        var invite: String?

        var credentials: Credentials { Credentials(email: email, password: password) }
    }

    private struct RefreshBody: Decodable {
        var refreshToken: String

        private enum CodingKeys: String, CodingKey {
            case refreshToken = "refresh_token"
        }
    }

    private struct SignedOut: Encodable {
        var status = "signed_out"
    }

    var routes: [Route] {
        [
            Route(.post, "\(basePath)/auth/signup", .signIn) { request, _ in try await signUp(request) },
            Route(.post, "\(basePath)/auth/login", .signIn) { request, _ in try await logIn(request) },
            Route(.post, "\(basePath)/auth/refresh", .signIn) { request, _ in try await refresh(request) },
            Route(.post, "\(basePath)/auth/logout") { _, context in try await logOut(context) },
            Route(.get, "\(basePath)/auth/me") { _, context in try await profile(context) },
        ]
    }

    private func signUp(_ request: Request) async throws -> Response {
        let body = try await request.decode(CredentialsBody.self, upTo: limits.bodySize)
        let device = request.device
        return try Response(
            .created,
            granting: await blocking.hash { [accounts] in
                try accounts.signUp(body.credentials, invite: body.invite, device: device)
            })
    }

    private func logIn(_ request: Request) async throws -> Response {
        let credentials = try await request.decode(CredentialsBody.self, upTo: limits.bodySize).credentials
        let device = request.device
        return try Response(
            granting: await blocking.hash { [accounts] in try accounts.logIn(credentials, device: device) })
    }

    private func refresh(_ request: Request) async throws -> Response {
        let token = try await request.decode(RefreshBody.self, upTo: limits.bodySize).refreshToken
        return try Response(granting: await blocking.write { [accounts] in try accounts.refresh(token) })
    }

    private func logOut(_ context: ServerRequestContext) async throws -> Response {
        let user = try context.requireUser()
        try await blocking.write { [accounts] in try accounts.logOut(user) }
        return try Response(encoding: SignedOut())
    }

    private func profile(_ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        return try Response(encoding: await blocking.read { [accounts] in try accounts.profile(userId: userId) })
    }
}

extension Request {
    /// How many characters of it are kept.
    private static let longestDevice = 200

    /// What the device calls itself, as a list of sign-ins shows it.
    fileprivate var device: String? {
        let name = (headers[.userAgent] ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        return name.isEmpty ? nil : String(String(String.UnicodeScalarView(name)).prefix(Self.longestDevice))
    }
}

extension Response {
    /// An answer with tokens, which nobody on the way may keep (RFC 6749, section 5.1).
    fileprivate init(_ status: HTTPResponse.Status = .ok, granting grant: SessionGrant) throws {
        try self.init(status, encoding: grant)
        headers[.cacheControl] = "no-store"
    }
}
