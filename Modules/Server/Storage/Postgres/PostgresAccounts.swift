#if Postgres
    import Foundation
    import TrendyDomain

    /// Accounts, sign-ins and invitations within one transaction on PostgreSQL.
    struct PostgresAccounts: AccountStorage {
        let transaction: PostgresTransaction

        func accounts(after email: String?, limit: Int) throws -> [Account] {
            try transaction.query(
                Self.selectAccount + " WHERE email > $1::bytea ORDER BY email LIMIT $2::int8",
                [.bytes((email ?? "").utf8), .number(Int64(limit))]
            ).map(Self.account)
        }

        func account(id: String) throws -> Account? {
            try transaction.query(Self.selectAccount + " WHERE id = $1::bytea", [.id(id)]).first.map(Self.account)
        }

        func account(email: String) throws -> Account? {
            try transaction.query(Self.selectAccount + " WHERE email = $1::bytea", [.bytes(email.utf8)]).first
                .map(Self.account)
        }

        func insert(_ account: Account) throws {
            let cost = account.password.cost
            try transaction.write(
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

        func update(_ account: Account) throws {
            let (password, cost) = (account.password, account.password.cost)
            try transaction.write(
                """
                UPDATE account SET password_hash = $1::bytea, password_salt = $2::bytea, password_rounds = $3::int8,
                    password_block_size = $4::int8, password_parallelism = $5::int8, updated_at = $6::int8
                WHERE id = $7::bytea
                """,
                [
                    .bytes(password.hash), .bytes(password.salt), .number(Int64(cost.rounds)),
                    .number(Int64(cost.blockSize)), .number(Int64(cost.parallelism)),
                    .number(account.updatedAt.milliseconds), .id(account.id),
                ])
        }

        func deleteAccount(id: String) throws {
            _ = try deleteSessions(userId: id, keeping: nil)
            try transaction.write("DELETE FROM account WHERE id = $1::bytea", [.id(id)])
        }

        func session(id: String) throws -> StoredSession? {
            try transaction.query(Self.selectSession + " WHERE id = $1::bytea", [.id(id)]).first.map(Self.session)
        }

        func sessions(userId: String) throws -> [StoredSession] {
            try transaction.query(
                Self.selectSession + " WHERE user_id = $1::bytea ORDER BY used_at DESC, id", [.id(userId)]
            ).map(Self.session)
        }

        func save(_ session: StoredSession) throws {
            try transaction.write(
                """
                INSERT INTO session (id, user_id, device, created_at, used_at, expires_at)
                VALUES ($1::bytea, $2::bytea, $3::bytea, $4::int8, $5::int8, $6::int8)
                ON CONFLICT (id) DO UPDATE SET device = excluded.device, created_at = excluded.created_at,
                    used_at = excluded.used_at, expires_at = excluded.expires_at
                """,
                [
                    .id(session.id), .id(session.userId), PostgresValue(bytes: session.device.map { Array($0.utf8) }),
                    .number(session.createdAt.milliseconds), .number(session.usedAt.milliseconds),
                    .number(session.expiresAt.milliseconds),
                ])
        }

        func deleteSession(id: String) throws {
            try transaction.write("DELETE FROM token WHERE session_id = $1::bytea", [.id(id)])
            try transaction.write("DELETE FROM session WHERE id = $1::bytea", [.id(id)])
        }

        func deleteSessions(userId: String, keeping sessionId: String?) throws -> Int {
            let chosen = "user_id = $1::bytea AND id <> $2::bytea"
            // No id is as short as none.
            let arguments: [PostgresValue] = [.id(userId), sessionId.map { .id($0) } ?? .bytes([])]
            try transaction.write(
                "DELETE FROM token WHERE session_id IN (SELECT id FROM session WHERE \(chosen))", arguments)
            return try transaction.change("DELETE FROM session WHERE \(chosen)", arguments).written
        }

        func deleteStrays() throws {
            try transaction.write("DELETE FROM session WHERE user_id NOT IN (SELECT id FROM account)")
            try transaction.write("DELETE FROM token WHERE session_id NOT IN (SELECT id FROM session)")
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
            try transaction.write(
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
            try transaction.write(
                "UPDATE token SET used_at = $1::int8 WHERE hash = $2::bytea",
                [.number(moment.milliseconds), .bytes(hash)])
        }

        func deleteEnded(before moment: Timestamp) throws {
            for table in ["token", "session", "invite"] {
                try transaction.write(
                    "DELETE FROM \(table) WHERE expires_at < $1::int8", [.number(moment.milliseconds)])
            }
        }

        func insert(_ invite: StoredInvite) throws {
            try transaction.write(
                """
                INSERT INTO invite (hash, email, created_at, expires_at)
                VALUES ($1::bytea, $2::bytea, $3::int8, $4::int8)
                """,
                [
                    .bytes(invite.hash), PostgresValue(bytes: invite.email.map { Array($0.utf8) }),
                    .number(invite.createdAt.milliseconds), .number(invite.expiresAt.milliseconds),
                ])
        }

        func invite(hash: Data) throws -> StoredInvite? {
            try transaction.query(
                "SELECT email, created_at, expires_at FROM invite WHERE hash = $1::bytea", [.bytes(hash)]
            ).first.map {
                StoredInvite(hash: hash, email: $0.optionalText(0), createdAt: $0.time(1), expiresAt: $0.time(2))
            }
        }

        func deleteInvite(hash: Data) throws {
            try transaction.write("DELETE FROM invite WHERE hash = $1::bytea", [.bytes(hash)])
        }

        private static let selectSession = """
            SELECT id, user_id, device, created_at, used_at, expires_at FROM session
            """

        private static func session(_ row: PostgresRows.Row) -> StoredSession {
            StoredSession(
                id: row.id(0), userId: row.id(1), device: row.optionalText(2), createdAt: row.time(3),
                usedAt: row.time(4), expiresAt: row.time(5))
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
