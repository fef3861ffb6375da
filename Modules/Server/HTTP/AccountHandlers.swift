import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handlers of signing up, in and out.
struct AccountHandlers: Sendable {
    let accounts: AccountService
    let clientAddress: ClientAddress
    let limits: SignInLimits
    let passwords: PasswordWork
    let blocking: BlockingWork

    /// Bytes of a body. Strangers send these, so that they are no larger than the longest password has to be, written with
    /// an escape for each character.
    static let bodySize = 16 << 10

    private struct CredentialsBody: Decodable {
        static let fields = ["email", "password", "invite"]

        var email: String
        var password: String
        /// Looked at by a sign-up alone.
        var invite: String?

        var credentials: PasswordCredentials { PasswordCredentials(email: email, password: password) }
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
            Route(.post, "\(basePath)/auth/signup", .signIn) { try await signUp($0, $1) },
            Route(.post, "\(basePath)/auth/login", .signIn) { try await logIn($0, $1) },
            Route(.post, "\(basePath)/auth/refresh", .open) { try await refresh($0, $1) },
            Route(.post, "\(basePath)/auth/logout") { _, context in try await logOut(context) },
            Route(.get, "\(basePath)/auth/me") { _, context in try await profile(context) },
        ]
    }

    private func signUp(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let body = try await request.decode(
            CredentialsBody.self, fields: CredentialsBody.fields, upTo: Self.bodySize, context)
        let (credentials, device) = (body.credentials, request.device)
        // What is refused anyway need not wait for its turn.
        try credentials.check()
        let grant = try await passwords.run(
            address: address(of: request, context), account: "new \(credentials.normalizedEmail)"
        ) { [accounts] in try accounts.signUp(credentials, invite: body.invite, device: device) }
        return try Response(.created, encoding: grant)
    }

    private func logIn(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let credentials = try await request.decode(
            CredentialsBody.self, fields: CredentialsBody.fields, upTo: Self.bodySize, context
        ).credentials
        let (email, address) = (credentials.normalizedEmail, address(of: request, context))
        let device = request.device
        let account = try limits.ofAccounts.admit(email, from: address)
        let grant = try await passwords.run(address: address, account: account) { [accounts] in
            try accounts.logIn(credentials, device: device)
        }
        limits.ofAccounts.remember(email, from: address)
        return try Response(encoding: grant)
    }

    private func refresh(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let token = try await request.decode(
            RefreshBody.self, fields: ["refresh_token"], upTo: Self.bodySize, context
        )
        .refreshToken
        let sessionId = try await blocking.read { [accounts] in try accounts.sessionId(ofRefreshToken: token) }
        // Tokens that are not known count for the address, so that they cannot be tried out.
        try limits.ofRefreshes.admit(sessionId.map { "session \($0)" } ?? "address \(address(of: request, context))")
        return try Response(encoding: await blocking.write { [accounts] in try accounts.refresh(token) })
    }

    private func address(of request: Request, _ context: ServerRequestContext) -> String {
        clientAddress.limitKey(peer: context.remoteAddress, request.headers)
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
    /// How many bytes of it are kept. A character may have any number of them.
    private static let longestDevice = 200

    /// What the device calls itself, as a list of sign-ins shows it.
    fileprivate var device: String? {
        let name = (headers[.userAgent] ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        var kept = String.UnicodeScalarView()
        var size = 0
        for scalar in name {
            size += UTF8.width(scalar)
            if size > Self.longestDevice { break }
            kept.append(scalar)
        }
        return kept.isEmpty ? nil : String(kept)
    }
}
