public import TrendyDomain

/// The answer to a sign-in.
struct SignIn: Decodable {
    let accessToken: Secret
    let refreshToken: Secret?
    let user: AccountInfo?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case user
    }

    /// The credentials that it gives; what it does not say is as it was.
    func credentials(server: ServerAddress, replacing old: Credentials?, at now: Timestamp) -> Credentials {
        Credentials(
            server: server, email: user?.email ?? old?.email, userId: user?.id ?? old?.userId,
            accessToken: accessToken, refreshToken: refreshToken ?? old?.refreshToken, obtainedAt: now)
    }
}

/// An account, as the server describes it.
public struct AccountInfo: Codable, Sendable, Hashable {
    /// The account's id.
    public var id: String
    /// The address that the account was made with.
    public var email: String?
    /// When the account was made.
    public var createdAt: Timestamp?
    /// When the account was changed last.
    public var updatedAt: Timestamp?

    /// Describes an account.
    public init(id: String, email: String? = nil, createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil) {
        self.id = id
        self.email = email
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, email
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}
