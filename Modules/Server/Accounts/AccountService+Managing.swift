import TrendyDomain

extension AccountService {
    /// An account for that address and password, which is yet to be added.
    ///
    /// - Throws: ``ServerProblem`` with every wrong field.
    func makeAccount(_ credentials: PasswordCredentials) throws -> Account {
        try credentials.check()
        let now = clock.now()
        return Account(
            id: ids.makeId(), email: credentials.normalizedEmail, password: try hash(credentials.password),
            createdAt: now, updatedAt: now)
    }

    /// Adds an account, unless its address has one.
    func add(_ account: Account, _ transaction: any AccountStorage) throws {
        guard try transaction.account(email: account.email) == nil else {
            throw ServerProblem(
                .conflict, "there is an account with this e-mail address already; sign in instead",
                errors: [FieldError(field: "email", message: "has an account already", code: "duplicate")])
        }
        try transaction.insert(account)
    }

    private func hash(_ password: String) throws -> PasswordHash {
        try PasswordHash(of: password, salt: randomData(count: 16), cost: cost)
    }

    /// Makes an account without signing in to it.
    ///
    /// - Throws: ``ServerProblem``: of kind `validation` where the address or the password will not do, `conflict` where
    ///   the address has an account.
    public func addAccount(_ credentials: PasswordCredentials) throws -> UserProfile {
        let account = try makeAccount(credentials)
        try store.writeAccounts { try add(account, $0) }
        return UserProfile(account)
    }

    /// Gives an account another password, and ends its sign-ins.
    ///
    /// - Parameter sessionId: A sign-in that goes on; nil to end all.
    /// - Returns: How many sign-ins were ended.
    /// - Throws: ``ServerProblem`` where the password will not do.
    @discardableResult
    public func setPassword(_ password: String, of email: String, keeping sessionId: String? = nil) throws -> Int {
        let credentials = PasswordCredentials(email: email, password: password)
        try credentials.check()
        let hash = try hash(password)
        return try store.writeAccounts { transaction in
            guard var account = try transaction.account(email: credentials.normalizedEmail) else {
                throw Self.unknown(email)
            }
            (account.password, account.updatedAt) = (hash, clock.now())
            try transaction.update(account)
            return try transaction.deleteSessions(userId: account.id, keeping: sessionId)
        }
    }

    /// Makes sure that a user knows the password, beside a token that somebody may have taken.
    ///
    /// - Throws: ``ServerProblem`` of kind `forbidden` where it is wrong.
    @discardableResult
    public func verify(_ password: String, of userId: String) throws -> Account {
        guard let account = try store.readAccounts({ try $0.account(id: userId) }) else {
            throw Self.noAccount
        }
        guard password.utf8.count <= PasswordCredentials.longestPassword, try account.password.matches(password) else {
            throw ServerProblem.field("password", "is wrong", kind: .forbidden)
        }
        return account
    }

    /// Changes a user's password, and ends all sign-ins but the one that it is changed from.
    ///
    /// - Returns: How many sign-ins were ended.
    /// - Throws: ``ServerProblem``: of kind `forbidden` where the present password is wrong, `validation` where the new
    ///   one will not do.
    public func changePassword(from present: String, to new: String, by user: AuthenticatedUser) throws -> Int {
        let account = try verify(present, of: user.userId)
        try PasswordCredentials(email: account.email, password: new).check(passwordField: "new_password")
        return try setPassword(new, of: account.email, keeping: user.sessionId)
    }

    /// The sign-ins of a user that have not ended, the one that was used last first.
    public func sessions(of userId: String) throws -> [SessionSummary] {
        let now = clock.now()
        return try store.readAccounts { try $0.sessions(userId: userId) }
            .filter { $0.expiresAt > now }.map(SessionSummary.init)
    }

    /// Ends one sign-in of a user.
    ///
    /// - Throws: ``ServerProblem`` of kind `notFound` where it is no sign-in of that user.
    public func endSession(_ id: String, of userId: String) throws {
        try store.writeAccounts { transaction in
            guard try transaction.session(id: id)?.userId == userId else {
                throw ServerProblem(.notFound, "there is no sign-in \(id) of this account")
            }
            try transaction.deleteSession(id: id)
        }
    }

    /// Ends all sign-ins of an account.
    ///
    /// - Returns: How many there were.
    @discardableResult
    public func endSessions(of userId: String) throws -> Int {
        try store.writeAccounts { try $0.deleteSessions(userId: userId, keeping: nil) }
    }

    /// Removes an account, whose records are gone.
    func remove(_ userId: String) throws {
        try store.writeAccounts { try $0.deleteAccount(id: userId) }
    }

    /// The account with that address, however it is written.
    ///
    /// - Throws: ``ServerProblem`` of kind `notFound` where there is none.
    public func account(email: String) throws -> Account {
        let normalized = PasswordCredentials(email: email, password: "").normalizedEmail
        guard let account = try store.readAccounts({ try $0.account(email: normalized) }) else {
            throw Self.unknown(email)
        }
        return account
    }

    private static func unknown(_ email: String) -> ServerProblem {
        ServerProblem(.notFound, "there is no account \(email) on this server")
    }
}
