public import TrendyDomain

/// Who is signed in, where, and the tokens that prove it.
public struct Credentials: Sendable, Hashable, Codable {
    /// The server that gave the tokens; they are never sent to another.
    public var server: ServerAddress
    /// The address of the account's owner, where the server told.
    public var email: String?
    /// The account's id, where the server told.
    public var userId: String?
    /// What each request is authorised with.
    public var accessToken: Secret
    /// Gets a new access token when the present one has run out.
    public var refreshToken: Secret?
    /// When the server gave the tokens, by this device's clock.
    public var obtainedAt: Timestamp

    /// Puts credentials together.
    public init(
        server: ServerAddress, email: String? = nil, userId: String? = nil, accessToken: Secret,
        refreshToken: Secret? = nil, obtainedAt: Timestamp
    ) {
        self.server = server
        self.email = email
        self.userId = userId
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.obtainedAt = obtainedAt
    }

    private enum CodingKeys: String, CodingKey {
        case server, email
        case userId = "user_id"
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case obtainedAt = "obtained_at"
    }
}
