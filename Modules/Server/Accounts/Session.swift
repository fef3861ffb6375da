public import TrendyDomain

/// How long tokens last.
public struct TokenLifetimes: Sendable, Hashable {
    /// Seconds that an access token lasts.
    public var access: Double
    /// Seconds that a refresh token lasts.
    public var refresh: Double
    /// Seconds after its first use in which a refresh token works again: an answer with the new tokens may be
    /// lost on its way, and two processes of one device may refresh at once. See ``AccountService/refresh(_:)``.
    public var refreshGrace: Double

    /// One hour, 90 days, one day.
    public init(access: Double = 3600, refresh: Double = 90 * 86_400, refreshGrace: Double = 86_400) {
        self.access = access
        self.refresh = refresh
        self.refreshGrace = refreshGrace
    }

    /// Seconds until the last of the tokens that are given out together ends.
    var longest: Double { max(access, refresh) }
}

/// A user as others see him.
public struct UserProfile: Codable, Sendable, Hashable {
    /// The account's id.
    public var id: String
    /// The account's address.
    public var email: String
    /// When the account was made.
    public var createdAt: Timestamp
    /// When the account was changed last.
    public var updatedAt: Timestamp

    init(_ account: Account) {
        id = account.id
        email = account.email
        createdAt = account.createdAt
        updatedAt = account.updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id, email
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

/// What a person gets who signs in.
public struct SessionGrant: Codable, Sendable, Hashable {
    /// What each request carries as a bearer token.
    public var accessToken: String
    /// What a new access token can be had for.
    public var refreshToken: String
    /// "Bearer".
    public var tokenType: String
    /// Seconds until the access token ends.
    public var expiresIn: Int
    /// Whose session it is.
    public var user: UserProfile

    private enum CodingKeys: String, CodingKey {
        case user
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
    }
}

/// Who a request comes from.
public struct AuthenticatedUser: Sendable, Hashable {
    /// The id of the user's account.
    public var userId: String
    /// The sign-in on one device.
    public var sessionId: String
}
