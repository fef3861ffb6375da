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

/// A sign-in on one device, with which its tokens end.
public struct StoredSession: Sendable, Hashable {
    /// What its tokens name.
    public var id: String
    /// The account that it belongs to.
    public var userId: String
    /// What the device calls itself; nil where it does not.
    public var device: String?
    /// When somebody signed in.
    public var createdAt: Timestamp
    /// When tokens were given out last: an access token is used for ``TokenLifetimes/access`` after that.
    public var usedAt: Timestamp
    /// When its newest token is no longer good.
    public var expiresAt: Timestamp

    /// Makes a sign-in of its parts.
    public init(
        id: String, userId: String, device: String? = nil, createdAt: Timestamp, usedAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.userId = userId
        self.device = device
        self.createdAt = createdAt
        self.usedAt = usedAt
        self.expiresAt = expiresAt
    }
}

/// A code that somebody may sign up with, once. The code itself is never stored.
public struct StoredInvite: Sendable, Hashable {
    /// The SHA-256 of the code.
    public var hash: Data
    /// The only address that it is good for; nil where it is good for any.
    public var email: String?
    /// When it was made.
    public var createdAt: Timestamp
    /// When it is no longer good.
    public var expiresAt: Timestamp

    /// Makes an invitation of its parts.
    public init(hash: Data, email: String?, createdAt: Timestamp, expiresAt: Timestamp) {
        self.hash = hash
        self.email = email
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// Accounts, sign-ins with their tokens, and invitations.
public protocol AccountStorage {
    /// Some accounts, in the order of their addresses: the first ones, or those after an address.
    func accounts(after email: String?, limit: Int) throws -> [Account]
    /// The account with this id, or none.
    func account(id: String) throws -> Account?
    /// The account with this address, or none.
    func account(email: String) throws -> Account?
    /// Adds an account.
    func insert(_ account: Account) throws
    /// Puts another password and time of change in the place of those that the account has.
    func update(_ account: Account) throws
    /// Removes an account, with its sign-ins and their tokens.
    func deleteAccount(id: String) throws

    /// The sign-in of that id, ended or not.
    func session(id: String) throws -> StoredSession?
    /// An account's sign-ins, the one that was used last first.
    func sessions(userId: String) throws -> [StoredSession]
    /// Keeps a sign-in, in the place of the one with its id.
    func save(_ session: StoredSession) throws
    /// Ends a sign-in: revokes all of its tokens.
    func deleteSession(id: String) throws
    /// Ends the sign-ins of an account, all or all but one, and answers how many.
    @discardableResult
    func deleteSessions(userId: String, keeping sessionId: String?) throws -> Int

    /// The token with that hash, expired or not.
    func token(hash: Data) throws -> StoredToken?
    /// Adds a token.
    func insert(_ token: StoredToken) throws
    /// The highest generation among the tokens of a sign-in, or none if it has no tokens.
    func newestGeneration(sessionId: String) throws -> Int64?
    /// Notes when a token was exchanged first.
    func setUsed(_ moment: Timestamp, ofToken hash: Data) throws
    /// Forgets the tokens, sign-ins and invitations that ended before that moment.
    func deleteEnded(before moment: Timestamp) throws
    /// Forgets the sign-ins and tokens of accounts that are not there.
    func deleteStrays() throws

    /// Adds an invitation.
    func insert(_ invite: StoredInvite) throws
    /// The invitation whose code has that hash, ended or not.
    func invite(hash: Data) throws -> StoredInvite?
    /// Removes an invitation.
    func deleteInvite(hash: Data) throws
}
