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
    /// Whether accounts are made by invitation alone.
    let isClosed: Bool
    private let settledClock: SettledClock
    private let pruning = PruningSchedule()

    /// Makes the service over a store.
    ///
    /// - Parameters:
    ///   - uptime: A clock that does not jump, by which tokens are deleted and late uses are told.
    ///   - isClosed: Whether nobody signs up without an invitation.
    public init(
        store: any ServerStore, clock: any WallClock = SystemWallClock(),
        uptime: any Clock<Duration> = ContinuousClock(), ids: any IdentifierGenerator = UUIDv7Generator(),
        random: any RandomSource = SystemRandomSource(), lifetimes: TokenLifetimes = TokenLifetimes(),
        cost: PasswordCost = .standard, isClosed: Bool = false
    ) {
        self.store = store
        self.clock = clock
        settledClock = SettledClock(clock, uptime: uptime)
        self.ids = ids
        self.random = random
        self.lifetimes = lifetimes
        self.cost = cost
        self.isClosed = isClosed
    }

    /// Makes an account and signs in.
    ///
    /// - Parameters:
    ///   - invite: The code of an invitation, which is used up by that. An open server does not look at it.
    ///   - device: What the device calls itself.
    public func signUp(
        _ credentials: PasswordCredentials, invite: String? = nil, device: String? = nil
    ) throws -> SessionGrant {
        try credentials.check()
        // A stranger without an invitation does not have a password hashed.
        if isClosed { _ = try store.readAccounts { try requireInvite(invite, for: credentials, $0) } }
        let account = try makeAccount(credentials)
        return try store.writeAccounts { transaction in
            if isClosed { try transaction.deleteInvite(hash: requireInvite(invite, for: credentials, transaction)) }
            try add(account, transaction)
            return try signIn(account, device, transaction)
        }
    }

    /// Signs in.
    ///
    /// - Parameter device: What the device calls itself.
    public func logIn(_ credentials: PasswordCredentials, device: String? = nil) throws -> SessionGrant {
        let email = credentials.normalizedEmail
        let account = try store.readAccounts { try $0.account(email: email) }
        guard credentials.password.utf8.count <= PasswordCredentials.longestPassword else {
            throw Self.wrongCredentials
        }
        // An unknown address costs as much time as a wrong password, so that addresses cannot be tried out.
        let nobody = PasswordHash(hash: Data(count: 32), salt: Data(count: 16), cost: cost)
        let matches = try (account?.password ?? nobody).matches(credentials.password)
        guard let account, matches else { throw Self.wrongCredentials }
        return try beginSession(of: account, device: device)
    }

    /// Signs in to an account whose password has been checked.
    ///
    /// - Throws: ``ServerProblem`` where the account is gone meanwhile, or has another password: a hash takes its time.
    func beginSession(of account: Account, device: String?) throws -> SessionGrant {
        try store.writeAccounts { transaction in
            guard let now = try transaction.account(id: account.id), now.password == account.password else {
                throw Self.wrongCredentials
            }
            try prune(transaction)
            return try signIn(now, device, transaction)
        }
    }

    /// Exchanges a refresh token for a new pair. Each exchange makes the next generation of the session.
    ///
    /// A used token may be used again within ``TokenLifetimes/refreshGrace``, as long as none of the tokens that
    /// came of it was used: a client that lost the answer is not signed out. Any other use of a token that is not
    /// of the newest generation shows that two hold the session, and ends it for both (RFC 9700, section 4.14.2).
    /// If only the wall clock says that the grace is over, the use is refused, and the session goes on: that clock may
    /// have jumped.
    public func refresh(_ refreshToken: String) throws -> SessionGrant {
        let hash = Self.hash(refreshToken)
        let now = clock.now()
        // The end of a session is committed, so its refusal is thrown after the transaction.
        let granted = try store.writeAccounts { transaction -> SessionGrant? in
            guard let token = try transaction.token(hash: hash), token.purpose == .refresh, token.expiresAt > now,
                let newest = try transaction.newestGeneration(sessionId: token.sessionId),
                let account = try transaction.account(id: token.userId),
                let session = try transaction.session(id: token.sessionId)
            else { throw Self.invalidRefreshToken }
            let next: Int64
            switch use(of: token, newest: newest, now: now) {
            case .buys(let generation): next = generation
            case .late: throw Self.invalidRefreshToken
            case .endsSession:
                try transaction.deleteSession(id: token.sessionId)
                return nil
            }
            if token.usedAt == nil { try transaction.setUsed(now, ofToken: hash) }
            try prune(transaction)
            return try grant(account, session, generation: next, transaction)
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

    /// Ends a sign-in; other devices stay signed in.
    public func logOut(_ user: AuthenticatedUser) throws {
        try store.writeAccounts { try $0.deleteSession(id: user.sessionId) }
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
            throw Self.noAccount
        }
        return UserProfile(account)
    }

    static let noAccount = ServerProblem(.unauthorized, "the account does not exist any more")
    private static let invalidRefreshToken = ServerProblem(
        .unauthorized, "the refresh token is not valid; sign in again")
    static let wrongCredentials = ServerProblem(.unauthorized, "the e-mail address or the password is wrong")
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

    /// Deletes the tokens, sign-ins and invitations that ended, once a day. They are refused anyway.
    private func prune(_ transaction: any AccountStorage) throws {
        guard let settled = settledClock.now(), pruning.isDue("", at: settled) else { return }
        try transaction.deleteEnded(before: settled)
    }

    /// How many sign-ins an account has at most. Nobody has so many devices; a program that signs in each time it runs
    /// would fill the store.
    static let mostSessions = 100

    /// Begins a sign-in. Where there are too many, those that were not used for the longest time end.
    private func signIn(
        _ account: Account, _ device: String?, _ transaction: any AccountStorage
    ) throws -> SessionGrant {
        let now = clock.now()
        for former in try transaction.sessions(userId: account.id).dropFirst(Self.mostSessions - 1) {
            try transaction.deleteSession(id: former.id)
        }
        let session = StoredSession(
            id: ids.makeId(), userId: account.id, device: device, createdAt: now, usedAt: now, expiresAt: now)
        return try grant(account, session, generation: 0, transaction)
    }

    /// Gives out tokens of a sign-in, which is used by that.
    private func grant(
        _ account: Account, _ session: StoredSession, generation: Int64, _ transaction: any AccountStorage
    ) throws -> SessionGrant {
        let now = clock.now()
        var session = session
        (session.usedAt, session.expiresAt) = (now, now.advanced(bySeconds: lifetimes.longest))
        try transaction.save(session)
        let access = makeToken()
        let refresh = makeToken()
        for (token, purpose, lifetime) in [
            (access, StoredToken.Purpose.access, lifetimes.access), (refresh, .refresh, lifetimes.refresh),
        ] {
            try transaction.insert(
                StoredToken(
                    hash: Self.hash(token), purpose: purpose, userId: account.id, sessionId: session.id,
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

    /// Random letters and digits in groups, of 31 that are not mistaken for each other: 4.95 bits each.
    func makeWord(groups: Int, of length: Int) -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return (0..<groups).map { _ in
            String((0..<length).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
        }.joined(separator: "-")
    }

    func randomData(count: Int) -> Data {
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
