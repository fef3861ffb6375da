import Crypto
import Foundation
public import TrendyDomain

/// Accounts and sign-ins; no HTTP inside.
///
/// Tokens are 256 random bits and stored as their SHA-256 alone. Any number of devices can be signed in at
/// once. The calls block; refusals are thrown as ``ServerProblem``.
public struct AccountService: Sendable {
    let store: any ServerStore
    let clock: any WallClock
    let ids: any IdentifierGenerator
    let random: any RandomSource
    let lifetimes: TokenLifetimes
    let cost: PasswordCost

    /// Makes the service over a store.
    public init(
        store: any ServerStore, clock: any WallClock = SystemWallClock(),
        ids: any IdentifierGenerator = UUIDv7Generator(), random: any RandomSource = SystemRandomSource(),
        lifetimes: TokenLifetimes = TokenLifetimes(), cost: PasswordCost = .standard
    ) {
        self.store = store
        self.clock = clock
        self.ids = ids
        self.random = random
        self.lifetimes = lifetimes
        self.cost = cost
    }

    /// Makes an account and signs in.
    public func signUp(_ credentials: Credentials) throws -> SessionGrant {
        try credentials.check()
        let now = clock.now()
        let email = credentials.normalizedEmail
        let password = try PasswordHash(of: credentials.password, salt: randomData(count: 16), cost: cost)
        let account = Account(id: ids.makeId(), email: email, password: password, createdAt: now, updatedAt: now)
        return try store.writeAccounts { transaction in
            guard try transaction.account(email: email) == nil else {
                throw ServerProblem(
                    .conflict, "there is an account with this e-mail address already; sign in instead",
                    errors: [FieldError(field: "email", message: "has an account already", code: "duplicate")])
            }
            try transaction.insert(account)
            return try grant(account, sessionId: ids.makeId(), transaction)
        }
    }

    /// Signs in.
    public func logIn(_ credentials: Credentials) throws -> SessionGrant {
        let email = credentials.normalizedEmail
        let account = try store.readAccounts { try $0.account(email: email) }
        guard credentials.password.utf8.count <= Credentials.longestPassword else { throw Self.wrongCredentials }
        // An unknown address costs as much time as a wrong password, so that addresses cannot be tried out.
        let nobody = PasswordHash(hash: Data(count: 32), salt: Data(count: 16), cost: cost)
        let matches = try (account?.password ?? nobody).matches(credentials.password)
        guard let account, matches else { throw Self.wrongCredentials }
        return try store.writeAccounts { transaction in
            try transaction.deleteTokens(expiredBefore: clock.now())
            return try grant(account, sessionId: ids.makeId(), transaction)
        }
    }

    /// Exchanges a refresh token for a new pair. The old one works for a while longer; see
    /// ``TokenLifetimes/refreshGrace``.
    public func refresh(_ refreshToken: String) throws -> SessionGrant {
        let hash = Self.hash(refreshToken)
        let now = clock.now()
        return try store.writeAccounts { transaction in
            guard let token = try transaction.token(hash: hash), token.purpose == .refresh, token.expiresAt > now,
                let account = try transaction.account(id: token.userId)
            else { throw ServerProblem(.unauthorized, "the refresh token is not valid; sign in again") }
            let end = min(token.expiresAt, now.advanced(bySeconds: lifetimes.refreshGrace))
            try transaction.setExpiry(end, ofToken: hash)
            try transaction.deleteTokens(expiredBefore: now)
            return try grant(account, sessionId: token.sessionId, transaction)
        }
    }

    /// Revokes all tokens of a sign-in; other devices stay signed in.
    public func logOut(_ user: AuthenticatedUser) throws {
        try store.writeAccounts { try $0.deleteTokens(sessionId: user.sessionId) }
    }

    /// Says whose access token that is.
    public func authenticate(_ accessToken: String) throws -> AuthenticatedUser {
        let hash = Self.hash(accessToken)
        let token = try store.readAccounts { try $0.token(hash: hash) }
        guard let token, token.purpose == .access else {
            throw ServerProblem(.unauthorized, "the access token is not valid; sign in again")
        }
        guard token.expiresAt > clock.now() else {
            throw ServerProblem(.unauthorized, "the access token has expired; refresh it")
        }
        return AuthenticatedUser(userId: token.userId, sessionId: token.sessionId)
    }

    /// The user's own profile.
    public func profile(userId: String) throws -> UserProfile {
        guard let account = try store.readAccounts({ try $0.account(id: userId) }) else {
            throw ServerProblem(.unauthorized, "the account does not exist any more")
        }
        return UserProfile(account)
    }

    private static let wrongCredentials = ServerProblem(.unauthorized, "the e-mail address or the password is wrong")
}

extension AccountService {
    private func grant(
        _ account: Account, sessionId: String, _ transaction: any AccountStorage
    ) throws -> SessionGrant {
        let now = clock.now()
        let access = makeToken()
        let refresh = makeToken()
        for (token, purpose, lifetime) in [
            (access, StoredToken.Purpose.access, lifetimes.access), (refresh, .refresh, lifetimes.refresh),
        ] {
            try transaction.insert(
                StoredToken(
                    hash: Self.hash(token), purpose: purpose, userId: account.id, sessionId: sessionId,
                    expiresAt: now.advanced(bySeconds: lifetime)))
        }
        return SessionGrant(
            accessToken: access, refreshToken: refresh, tokenType: "Bearer", expiresIn: Int(lifetimes.access),
            user: UserProfile(account))
    }

    /// 256 random bits as URL-safe base 64.
    private func makeToken() -> String {
        randomData(count: 32).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    private func randomData(count: Int) -> Data {
        var data = Data(capacity: count + 8)
        while data.count < count {
            withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    private static func hash(_ token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }
}
