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

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(Secret.self, forKey: .accessToken)
        guard Self.fitsHeader(accessToken.value) else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken, in: container,
                debugDescription: "it is empty or has characters that no token can have")
        }
        // An empty token renews nothing, and must not replace a good one.
        refreshToken = try container.decodeIfPresent(Secret.self, forKey: .refreshToken)
            .flatMap { $0.value.isEmpty ? nil : $0 }
        user = try container.decodeIfPresent(AccountInfo.self, forKey: .user)
    }

    /// Whether a token can be sent in the header `Authorization`: visible ASCII alone (RFC 9110, section 11.2).
    private static func fitsHeader(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The credentials of the answer. What it leaves out stays as it was.
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
