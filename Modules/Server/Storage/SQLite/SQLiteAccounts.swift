import Foundation
import GRDB
import TrendyDomain

/// Accounts, sign-ins and invitations within one transaction on a SQLite database.
struct SQLiteAccounts: AccountStorage {
    let database: Database

    func accounts(after email: String?, limit: Int) throws -> [Account] {
        try database.rows(
            Self.selectAccount + " WHERE email > ? ORDER BY email LIMIT ?", [email ?? "", limit]
        ).map(Self.account)
    }

    func account(id: String) throws -> Account? {
        try database.row(Self.selectAccount + " WHERE id = ?", [id]).map(Self.account)
    }

    func account(email: String) throws -> Account? {
        try database.row(Self.selectAccount + " WHERE email = ?", [email]).map(Self.account)
    }

    func insert(_ account: Account) throws {
        try database.run(
            """
            INSERT INTO account (id, email, password_hash, password_salt, password_rounds, password_block_size,
                password_parallelism, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account.id, account.email, account.password.hash, account.password.salt,
                account.password.cost.rounds, account.password.cost.blockSize, account.password.cost.parallelism,
                account.createdAt.milliseconds, account.updatedAt.milliseconds,
            ])
    }

    func update(_ account: Account) throws {
        let (password, cost) = (account.password, account.password.cost)
        try database.run(
            """
            UPDATE account SET password_hash = ?, password_salt = ?, password_rounds = ?, password_block_size = ?,
                password_parallelism = ?, updated_at = ? WHERE id = ?
            """,
            [
                password.hash, password.salt, cost.rounds, cost.blockSize, cost.parallelism,
                account.updatedAt.milliseconds, account.id,
            ])
    }

    func deleteAccount(id: String) throws {
        _ = try deleteSessions(userId: id, keeping: nil)
        try database.run("DELETE FROM account WHERE id = ?", [id])
    }

    func session(id: String) throws -> StoredSession? {
        try database.row(Self.selectSession + " WHERE id = ?", [id]).map(Self.session)
    }

    func sessions(userId: String) throws -> [StoredSession] {
        try database.rows(Self.selectSession + " WHERE user_id = ? ORDER BY used_at DESC, id", [userId])
            .map(Self.session)
    }

    func save(_ session: StoredSession) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO session (id, user_id, device, created_at, used_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                session.id, session.userId, session.device, session.createdAt.milliseconds,
                session.usedAt.milliseconds, session.expiresAt.milliseconds,
            ])
    }

    func deleteSession(id: String) throws {
        try database.run("DELETE FROM token WHERE session_id = ?", [id])
        try database.run("DELETE FROM session WHERE id = ?", [id])
    }

    func deleteSessions(userId: String, keeping sessionId: String?) throws -> Int {
        let chosen = "user_id = ? AND id <> ?"
        let arguments: StatementArguments = [userId, sessionId ?? ""]
        try database.run(
            "DELETE FROM token WHERE session_id IN (SELECT id FROM session WHERE \(chosen))", arguments)
        try database.run("DELETE FROM session WHERE \(chosen)", arguments)
        return database.changesCount
    }

    func deleteStrays() throws {
        try database.run("DELETE FROM session WHERE user_id NOT IN (SELECT id FROM account)", [])
        try database.run("DELETE FROM token WHERE session_id NOT IN (SELECT id FROM session)", [])
    }

    func token(hash: Data) throws -> StoredToken? {
        let row = try database.row(
            "SELECT purpose, user_id, session_id, generation, expires_at, used_at FROM token WHERE hash = ?", [hash])
        guard let row, let purpose = StoredToken.Purpose(rawValue: row[0]) else { return nil }
        return StoredToken(
            hash: hash, purpose: purpose, userId: row[1], sessionId: row[2], generation: row[3],
            expiresAt: Timestamp(milliseconds: row[4]), usedAt: (row[5] as Int64?).map { Timestamp(milliseconds: $0) })
    }

    func insert(_ token: StoredToken) throws {
        try database.run(
            """
            INSERT INTO token (hash, purpose, user_id, session_id, generation, expires_at, used_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                token.hash, token.purpose.rawValue, token.userId, token.sessionId, token.generation,
                token.expiresAt.milliseconds, token.usedAt?.milliseconds,
            ])
    }

    func newestGeneration(sessionId: String) throws -> Int64? {
        try database.row("SELECT max(generation) FROM token WHERE session_id = ?", [sessionId]).flatMap { $0[0] }
    }

    func setUsed(_ moment: Timestamp, ofToken hash: Data) throws {
        try database.run("UPDATE token SET used_at = ? WHERE hash = ?", [moment.milliseconds, hash])
    }

    func deleteEnded(before moment: Timestamp) throws {
        for table in ["token", "session", "invite"] {
            try database.run("DELETE FROM \(table) WHERE expires_at < ?", [moment.milliseconds])
        }
    }

    func insert(_ invite: StoredInvite) throws {
        try database.run(
            "INSERT INTO invite (hash, email, created_at, expires_at) VALUES (?, ?, ?, ?)",
            [invite.hash, invite.email, invite.createdAt.milliseconds, invite.expiresAt.milliseconds])
    }

    func invite(hash: Data) throws -> StoredInvite? {
        try database.row("SELECT email, created_at, expires_at FROM invite WHERE hash = ?", [hash]).map {
            StoredInvite(
                hash: hash, email: $0[0], createdAt: Timestamp(milliseconds: $0[1]),
                expiresAt: Timestamp(milliseconds: $0[2]))
        }
    }

    func deleteInvite(hash: Data) throws { try database.run("DELETE FROM invite WHERE hash = ?", [hash]) }

    private static let selectSession = "SELECT id, user_id, device, created_at, used_at, expires_at FROM session"

    private static func session(_ row: Row) -> StoredSession {
        StoredSession(
            id: row[0], userId: row[1], device: row[2], createdAt: Timestamp(milliseconds: row[3]),
            usedAt: Timestamp(milliseconds: row[4]), expiresAt: Timestamp(milliseconds: row[5]))
    }

    private static let selectAccount = """
        SELECT id, email, password_hash, password_salt, password_rounds, password_block_size,
            password_parallelism, created_at, updated_at FROM account
        """

    private static func account(_ row: Row) -> Account {
        let cost = PasswordCost(rounds: row[4], blockSize: row[5], parallelism: row[6])
        return Account(
            id: row[0], email: row[1], password: PasswordHash(hash: row[2], salt: row[3], cost: cost),
            createdAt: Timestamp(milliseconds: row[7]), updatedAt: Timestamp(milliseconds: row[8]))
    }
}
