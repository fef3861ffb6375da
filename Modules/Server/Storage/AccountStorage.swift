public import Foundation
public import TrendyDomain

/// A person who has an account.
public struct Account: Sendable, Hashable {
    /// The account's id.
    public var id: String
    /// In lower case, without surrounding white space; unique.
    public var email: String
    /// The hash of its password.
    public var password: PasswordHash
    /// When the account was made.
    public var createdAt: Timestamp
    /// When the account was changed last.
    public var updatedAt: Timestamp

    /// Makes an account of its parts.
    public init(id: String, email: String, password: PasswordHash, createdAt: Timestamp, updatedAt: Timestamp) {
        self.id = id
        self.email = email
        self.password = password
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// A token that was given out. The token itself is never stored.
public struct StoredToken: Sendable, Hashable {
    /// What the token is for.
    public enum Purpose: String, Sendable, Hashable {
        /// Authenticates requests.
        case access
        /// Buys a new pair of tokens.
        case refresh
    }

    /// The SHA-256 of the token.
    public var hash: Data
    /// What the token is for.
    public var purpose: Purpose
    /// The account that it belongs to.
    public var userId: String
    /// One sign-in on one device; its tokens are revoked together.
    public var sessionId: String
    /// Its place in the session: 0 at the sign-in, and one more with each refresh.
    public var generation: Int64
    /// When it is no longer good.
    public var expiresAt: Timestamp
    /// When a refresh token was exchanged first, or nil.
    public var usedAt: Timestamp?

    /// Makes a token of its parts.
    public init(
        hash: Data, purpose: Purpose, userId: String, sessionId: String, generation: Int64 = 0, expiresAt: Timestamp,
        usedAt: Timestamp? = nil
    ) {
        self.hash = hash
        self.purpose = purpose
        self.userId = userId
        self.sessionId = sessionId
        self.generation = generation
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }
}

/// Accounts and tokens.
public protocol AccountStorage {
    /// The account with this id, or none.
    func account(id: String) throws -> Account?
    /// The account with this address, or none.
    func account(email: String) throws -> Account?
    /// Adds an account.
    func insert(_ account: Account) throws

    /// The token with that hash, expired or not.
    func token(hash: Data) throws -> StoredToken?
    /// Adds a token.
    func insert(_ token: StoredToken) throws
    /// The highest generation among the tokens of a sign-in, or none if it has no tokens.
    func newestGeneration(sessionId: String) throws -> Int64?
    /// Notes when a token was exchanged first.
    func setUsed(_ moment: Timestamp, ofToken hash: Data) throws
    /// Revokes all tokens of a sign-in.
    func deleteTokens(sessionId: String) throws
    /// Forgets the tokens that ended before that moment.
    func deleteTokens(expiredBefore moment: Timestamp) throws
}
