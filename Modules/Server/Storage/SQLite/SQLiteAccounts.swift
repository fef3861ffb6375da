import Foundation
import GRDB
import TrendyDomain

/// Accounts and tokens within one transaction on a SQLite database.
struct SQLiteAccounts: AccountStorage {
    let database: Database

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

    func deleteTokens(sessionId: String) throws {
        try database.run("DELETE FROM token WHERE session_id = ?", [sessionId])
    }

    func deleteTokens(expiredBefore moment: Timestamp) throws {
        try database.run("DELETE FROM token WHERE expires_at < ?", [moment.milliseconds])
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
