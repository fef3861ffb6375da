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
    private let settledClock: SettledClock
    private let pruning = PruningSchedule()

    /// Makes the service over a store.
    ///
    /// - Parameter uptime: A clock that does not jump, by which tokens are deleted and late uses are told.
    public init(
        store: any ServerStore, clock: any WallClock = SystemWallClock(),
        uptime: any Clock<Duration> = ContinuousClock(), ids: any IdentifierGenerator = UUIDv7Generator(),
        random: any RandomSource = SystemRandomSource(), lifetimes: TokenLifetimes = TokenLifetimes(),
        cost: PasswordCost = .standard
    ) {
        self.store = store
        self.clock = clock
        settledClock = SettledClock(clock, uptime: uptime)
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
            return try grant(account, sessionId: ids.makeId(), generation: 0, transaction)
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
            try prune(transaction)
            return try grant(account, sessionId: ids.makeId(), generation: 0, transaction)
        }
    }

    /// Exchanges a refresh token for a new pair. Each exchange makes the next generation of the session.
    ///
    /// A used token may be used again within ``TokenLifetimes/refreshGrace``, as long as none of the tokens that
    /// came of it was used: a client that lost the answer is not signed out. Any other use of a token that is not
    /// of the newest generation shows that two hold the session, and ends it for both (RFC 9700, section 4.14.2).
    /// A use that is late by the wall clock alone is refused, and ends nothing: that clock may have jumped.
    public func refresh(_ refreshToken: String) throws -> SessionGrant {
        let hash = Self.hash(refreshToken)
        let now = clock.now()
        // The end of a session is committed, so its refusal is thrown after the transaction.
        let granted = try store.writeAccounts { transaction -> SessionGrant? in
            guard let token = try transaction.token(hash: hash), token.purpose == .refresh, token.expiresAt > now,
                let newest = try transaction.newestGeneration(sessionId: token.sessionId),
                let account = try transaction.account(id: token.userId)
            else { throw Self.invalidRefreshToken }
            let next: Int64
            switch use(of: token, newest: newest, now: now) {
            case .buys(let generation): next = generation
            case .late: throw Self.invalidRefreshToken
            case .endsSession:
                try transaction.deleteTokens(sessionId: token.sessionId)
                return nil
            }
            if token.usedAt == nil { try transaction.setUsed(now, ofToken: hash) }
            try prune(transaction)
            return try grant(account, sessionId: token.sessionId, generation: next, transaction)
        }
        guard let granted else {
            throw ServerProblem(
                .unauthorized, "the refresh token was used before, so the sign-in was ended; sign in again")
        }
        return granted
    }

    /// The sign-in that a refresh token belongs to, or nil if the token is not known.
    func sessionId(ofRefreshToken refreshToken: String) throws -> String? {
        let hash = Self.hash(refreshToken)
        let token = try store.readAccounts { try $0.token(hash: hash) }
        return token?.purpose == .refresh ? token?.sessionId : nil
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

    private static let invalidRefreshToken = ServerProblem(
        .unauthorized, "the refresh token is not valid; sign in again")
    private static let wrongCredentials = ServerProblem(.unauthorized, "the e-mail address or the password is wrong")
}

extension AccountService {
    private enum RefreshUse {
        /// It is good for a pair of that generation.
        case buys(Int64)
        /// It comes too late by the wall clock, which may have jumped.
        case late
        case endsSession
    }

    /// What the use of a refresh token leads to.
    ///
    /// Tokens of one generation that were made for one token are good until the first of them is used. The others
    /// are then of an older generation and have no use of their own, so they buy nothing.
    private func use(of token: StoredToken, newest: Int64, now: Timestamp) -> RefreshUse {
        guard let usedAt = token.usedAt else {
            return token.generation == newest ? .buys(newest + 1) : .endsSession
        }
        if token.generation != newest - 1 { return .endsSession }
        let end = usedAt.advanced(bySeconds: lifetimes.refreshGrace)
        if now < end { return .buys(newest) }
        return settledClock.now().map { $0 >= end } == true ? .endsSession : .late
    }

    /// Deletes the tokens that ended, once a day. They are refused anyway.
    private func prune(_ transaction: any AccountStorage) throws {
        guard let settled = settledClock.now(), pruning.isDue("", at: settled) else { return }
        try transaction.deleteTokens(expiredBefore: settled)
    }

    private func grant(
        _ account: Account, sessionId: String, generation: Int64, _ transaction: any AccountStorage
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
                    generation: generation, expiresAt: now.advanced(bySeconds: lifetime)))
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

    static func hash(_ token: String) -> Data {
        Data(SHA256.hash(data: Data(token.utf8)))
    }
}
