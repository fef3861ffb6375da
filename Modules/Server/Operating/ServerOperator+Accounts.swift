public import Foundation
public import TrendyDomain

extension ServerOperator {
    /// Tells every account, in the order of their addresses. Accounts that are made meanwhile may be left out.
    public func forEachAccount(_ body: (AccountSummary) throws -> Void) throws {
        var last: String?
        while true {
            let page = try store.readAccounts { transaction in
                try transaction.accounts(after: last, limit: Self.pieceLimit).map { account in
                    (account, try transaction.sessions(userId: account.id))
                }
            }
            for (account, sessions) in page {
                try body(try store.read(account.id) { try summary(account, sessions, $0) })
            }
            guard let end = page.last else { return }
            last = end.0.email
        }
    }

    /// All of the account with that address.
    ///
    /// - Throws: ``ServerProblem`` of kind `notFound` where there is none.
    public func account(_ email: String) throws -> AccountDetails {
        let account = try accounts.account(email: email)
        let sessions = try store.readAccounts { try $0.sessions(userId: account.id) }
        return try store.read(account.id) { transaction in
            let history = try transaction.history()
            let usage = try transaction.usage().map { ($0.key.rawValue, $0.value.records) }
            return AccountDetails(
                try summary(account, sessions, transaction), counts: Dictionary(usage) { $1 },
                head: history.map(ServerHead.init) ?? ServerHead(), horizon: history?.horizon ?? 0,
                sessions: live(sessions).map(SessionSummary.init))
        }
    }

    private func live(_ sessions: [StoredSession]) -> [StoredSession] {
        let now = clock.now()
        return sessions.filter { $0.expiresAt > now }
    }

    private func summary(
        _ account: Account, _ sessions: [StoredSession], _ transaction: any RecordTransaction
    ) throws -> AccountSummary {
        let usage = try transaction.usage().values.reduce(into: RecordUsage()) { $0 += $1 }
        let head = try transaction.history()?.head ?? 0
        let change = try transaction.changes(after: head - 1, upTo: head, limit: 1, byteLimit: 1).first?.updatedAt
        return AccountSummary(
            id: account.id, email: account.email, createdAt: account.createdAt, records: usage.records,
            bytes: usage.bytes, lastUsedAt: (sessions.map(\.usedAt) + [change].compactMap { $0 }).max(),
            sessions: live(sessions).count)
    }

    /// A password that nobody guesses, of letters and digits that are not mistaken for each other.
    public func makePassword() -> String { accounts.makeWord(groups: 4, of: 5) }

    /// Makes an account.
    ///
    /// - Throws: ``ServerProblem`` where the address has one, or the address or the password will not do.
    public func addAccount(_ email: String, password: String) throws -> UserProfile {
        try accounts.addAccount(PasswordCredentials(email: email, password: password))
    }

    /// Makes an invitation to sign up at a closed server.
    ///
    /// - Parameters:
    ///   - email: The only address that it is good for; nil for any.
    ///   - seconds: How long it is good.
    /// - Throws: ``ServerProblem`` where the address has an account already, or is none.
    public func invite(_ email: String?, lasting seconds: Double) throws -> Invitation {
        try accounts.invite(email, lasting: seconds)
    }

    /// Gives an account another password, and ends its sign-ins.
    ///
    /// - Returns: How many sign-ins there were.
    public func setPassword(_ password: String, of email: String) throws -> Int {
        try accounts.setPassword(password, of: email)
    }

    /// Ends all sign-ins of an account.
    ///
    /// - Returns: How many there were.
    public func signOut(_ email: String) throws -> Int {
        try accounts.endSessions(of: accounts.account(email: email).id)
    }

    /// Deletes an account and everything that belongs to it. Where it ends halfway, deleting it again goes on.
    public func deleteAccount(_ email: String) throws {
        for step in try AccountDeletion(of: accounts.account(email: email).id, accounts, records).steps {
            switch step {
            case .accounts(let run): try run()
            case .records(let write): try carryOut(write)
            }
        }
    }

    /// Writes an account's records as one JSON object, with an array for each kind.
    ///
    /// - Parameters:
    ///   - members: The names of the arrays, and the kinds that are in them.
    ///   - write: Takes the JSON, piece by piece, of one moment.
    /// - Returns: How many records there were of each kind.
    public func export(
        _ email: String, _ members: [(name: String, entityType: EntityType)], to write: (Data) throws -> Void
    ) throws -> [EntityType: Int] {
        try records.export(userId: accounts.account(email: email).id, members, to: write)
    }
}
