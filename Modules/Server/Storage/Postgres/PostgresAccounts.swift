#if Postgres
    import Foundation
    import TrendyDomain

    /// Accounts and tokens within one transaction on PostgreSQL.
    struct PostgresAccounts: AccountStorage {
        let transaction: PostgresTransaction

        func account(id: String) throws -> Account? {
            try transaction.query(Self.selectAccount + " WHERE id = $1::bytea", [.id(id)]).first.map(Self.account)
        }

        func account(email: String) throws -> Account? {
            try transaction.query(Self.selectAccount + " WHERE email = $1::bytea", [.bytes(email.utf8)]).first
                .map(Self.account)
        }

        func insert(_ account: Account) throws {
            let cost = account.password.cost
            _ = try transaction.query(
                """
                INSERT INTO account (id, email, password_hash, password_salt, password_rounds, password_block_size,
                    password_parallelism, created_at, updated_at)
                VALUES ($1::bytea, $2::bytea, $3::bytea, $4::bytea, $5::int8, $6::int8, $7::int8, $8::int8, $9::int8)
                """,
                [
                    .id(account.id), .bytes(account.email.utf8), .bytes(account.password.hash),
                    .bytes(account.password.salt), .number(Int64(cost.rounds)), .number(Int64(cost.blockSize)),
                    .number(Int64(cost.parallelism)), .number(account.createdAt.milliseconds),
                    .number(account.updatedAt.milliseconds),
                ])
        }

        func token(hash: Data) throws -> StoredToken? {
            let rows = try transaction.query(
                """
                SELECT purpose, user_id, session_id, generation, expires_at, used_at
                FROM token WHERE hash = $1::bytea
                """, [.bytes(hash)])
            guard let row = rows.first, let purpose = StoredToken.Purpose(rawValue: row.text(0)) else { return nil }
            return StoredToken(
                hash: hash, purpose: purpose, userId: row.id(1), sessionId: row.id(2), generation: row.number(3),
                expiresAt: row.time(4), usedAt: row.optionalNumber(5).map { Timestamp(milliseconds: $0) })
        }

        func insert(_ token: StoredToken) throws {
            _ = try transaction.query(
                """
                INSERT INTO token (hash, purpose, user_id, session_id, generation, expires_at, used_at)
                VALUES ($1::bytea, $2::text, $3::bytea, $4::bytea, $5::int8, $6::int8, $7::int8)
                """,
                [
                    .bytes(token.hash), .text(token.purpose.rawValue), .id(token.userId), .id(token.sessionId),
                    .number(token.generation), .number(token.expiresAt.milliseconds),
                    .number(token.usedAt?.milliseconds),
                ])
        }

        func newestGeneration(sessionId: String) throws -> Int64? {
            try transaction.query("SELECT max(generation) FROM token WHERE session_id = $1::bytea", [.id(sessionId)])
                .first?.optionalNumber(0)
        }

        func setUsed(_ moment: Timestamp, ofToken hash: Data) throws {
            _ = try transaction.query(
                "UPDATE token SET used_at = $1::int8 WHERE hash = $2::bytea",
                [.number(moment.milliseconds), .bytes(hash)])
        }

        func deleteTokens(sessionId: String) throws {
            _ = try transaction.query("DELETE FROM token WHERE session_id = $1::bytea", [.id(sessionId)])
        }

        func deleteTokens(expiredBefore moment: Timestamp) throws {
            _ = try transaction.query(
                "DELETE FROM token WHERE expires_at < $1::int8", [.number(moment.milliseconds)])
        }

        private static let selectAccount = """
            SELECT id, email, password_hash, password_salt, password_rounds, password_block_size,
                password_parallelism, created_at, updated_at FROM account
            """

        private static func account(_ row: PostgresRows.Row) -> Account {
            let cost = PasswordCost(
                rounds: Int(row.number(4)), blockSize: Int(row.number(5)), parallelism: Int(row.number(6)))
            let password = PasswordHash(hash: row.data(2) ?? Data(), salt: row.data(3) ?? Data(), cost: cost)
            return Account(
                id: row.id(0), email: row.text(1), password: password, createdAt: row.time(7), updatedAt: row.time(8))
        }
    }
#endif
