#if Postgres
    import Foundation
    import TrendyDomain

    /// The records of one user within one transaction on PostgreSQL. A set of any size is one statement.
    final class PostgresRecords: RecordTransaction {
        let transaction: PostgresTransaction
        let user: PostgresValue
        /// What the account's row has; nil where it was not asked for.
        var known: AccountHistory??
        let databaseStart: String

        /// Looks at a user's records without locking anything.
        init(_ transaction: PostgresTransaction, userId: String) {
            self.transaction = transaction
            user = .id(userId)
            databaseStart = ""
        }

        /// Works on the records of a user whose row is locked.
        init(_ transaction: PostgresTransaction, userId: String, _ row: LockedRow) {
            self.transaction = transaction
            user = .id(userId)
            known = .some(row.history)
            databaseStart = row.databaseStart
        }

        /// What an account's row has, once it is locked.
        struct LockedRow {
            /// Nil where nothing has happened in the account.
            var history: AccountHistory?
            /// The start of the database that has carried the transaction out, its number, and its table's file.
            var databaseStart: String
        }

        private static let historyColumns = "epoch, head, horizon, run"

        /// Locks the account's row until the end of the transaction, and answers what it has. Where there is none, it is
        /// made: who writes first in an account at the same time waits for it as well.
        static func lock(_ userId: String, _ transaction: PostgresTransaction) throws -> LockedRow {
            let user = PostgresValue.id(userId)
            let select = """
                SELECT \(historyColumns), (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::int8,
                    (SELECT oid::int8 FROM pg_database WHERE datname = current_database()),
                    (SELECT relfilenode::int8 FROM pg_class WHERE oid = 'history'::regclass)
                FROM history WHERE user_id = $1::bytea FOR UPDATE
                """
            var found = try transaction.query(select, [user])
            if found.count == 0 {
                try transaction.write(
                    "INSERT INTO history (user_id, head, horizon) VALUES ($1::bytea, 0, 0) ON CONFLICT DO NOTHING",
                    [user])
                found = try transaction.query(select, [user])
            }
            guard let row = found.first else {
                throw PostgresError(sqlState: "40001", message: "the account's row cannot be locked")
            }
            // The second number is another one after DROP DATABASE, the third after DROP TABLE and TRUNCATE.
            let marks = (4...6).map { String(row.number($0), radix: 36) }
            return LockedRow(history: history(row), databaseStart: marks.joined(separator: "-"))
        }

        /// Gives up the row of an account in which nothing has happened.
        static func unlock(_ userId: String, _ transaction: PostgresTransaction) throws {
            try transaction.write(
                "DELETE FROM history WHERE user_id = $1::bytea AND epoch IS NULL", [.id(userId)])
        }

        func hasAccount() throws -> Bool {
            // Who deletes the account waits for the end of this transaction.
            try transaction.query("SELECT 1 FROM account WHERE id = $1::bytea FOR KEY SHARE", [user]).count > 0
        }

        private static func history(_ row: PostgresRows.Row) -> AccountHistory? {
            row.optionalText(0).map {
                AccountHistory(epoch: $0, head: row.number(1), horizon: row.number(2), run: row.text(3))
            }
        }

        func history() throws -> AccountHistory? {
            if let known { return known }
            return try transaction.query(
                "SELECT \(Self.historyColumns) FROM history WHERE user_id = $1::bytea", [user]
            ).first.flatMap(Self.history)
        }

        func save(_ history: AccountHistory) throws {
            // The row was locked, but an erasure in the same transaction may have removed it.
            try transaction.write(
                """
                INSERT INTO history (user_id, epoch, head, horizon, run)
                VALUES ($1::bytea, $2::text, $3::int8, $4::int8, $5::text)
                ON CONFLICT (user_id)
                    DO UPDATE SET epoch = excluded.epoch, head = excluded.head, horizon = excluded.horizon,
                        run = excluded.run
                """,
                [
                    user, .text(history.epoch), .number(history.head), .number(history.horizon), .text(history.run),
                ])
            known = .some(history)
        }

        func lastRevision(of run: String) throws -> Int64? {
            try transaction.query(
                "SELECT last FROM run WHERE user_id = $1::bytea AND name = $2::text", [user, .text(run)]
            ).first?.number(0)
        }

        func save(_ run: EndedRun) throws {
            try transaction.write(
                """
                INSERT INTO run (user_id, name, last) VALUES ($1::bytea, $2::text, $3::int8)
                ON CONFLICT (user_id, name) DO UPDATE SET last = excluded.last
                """, [user, .text(run.name), .number(run.last)])
        }

        func deleteRuns() throws { try transaction.write("DELETE FROM run WHERE user_id = $1::bytea", [user]) }

        static let columns = """
            record.entity_type, record.id, record.revision, record.created_revision, record.created_at, \
            record.updated_at, record.document
            """

        static func record(_ row: PostgresRows.Row) -> StoredRecord {
            StoredRecord(
                key: RecordKey(EntityType(rawValue: row.text(0)), row.id(1)), document: row.data(6),
                createdAt: row.time(4), updatedAt: row.time(5), revision: row.number(2),
                createdRevision: row.number(3))
        }

        func records(_ keys: Set<RecordKey>) throws -> [RecordKey: Standing] {
            if keys.isEmpty { return [:] }
            let rows = try transaction.query(
                """
                SELECT \(Self.columns), record.user_id = $1::bytea
                FROM unnest($2::bytea[], $3::text[]) AS wanted (id, entity_type)
                JOIN record ON record.id = wanted.id AND record.entity_type = wanted.entity_type
                """, [user, .ids(keys.map(\.id)), .texts(keys.map(\.entityType.rawValue))])
            let found = rows.map { row in
                let record = Self.record(row)
                return (record.key, row.number(7) == 1 ? Standing.own(record) : .foreign)
            }
            return Dictionary(found) { $1 }
        }

        func holders(of keys: Set<UniqueKey>) throws -> [UniqueKey: [String]] {
            var found: [UniqueKey: [String]] = [:]
            for (sort, keys) in Dictionary(grouping: keys, by: \.sort) {
                let column = "\(sort.rawValue)_key"
                let rows = try transaction.query(
                    """
                    SELECT wanted.place, record.id
                    FROM unnest($2::text[], $3::bytea[], $4::int8[]) AS wanted (entity_type, key, place)
                    JOIN record ON record.user_id = $1::bytea AND record.entity_type = wanted.entity_type
                        AND record.\(column) = wanted.key
                    ORDER BY record.created_revision
                    """,
                    [
                        user, .texts(keys.map(\.entityType.rawValue)),
                        .manyBytes(keys.map { PostgresKey.key($0.text) }), .numbers(keys.indices.map(Int64.init)),
                    ])
                for (place, id) in rows.map({ (Int($0.number(0)), $0.id(1)) }) {
                    found[keys[place], default: []].append(id)
                }
            }
            return found
        }

        func children(of parents: Set<RecordKey>) throws -> [RecordKey: [ChildRecord]] {
            if parents.isEmpty { return [:] }
            let rows = try transaction.query(
                """
                SELECT record.entity_type, record.id, record.revision, reference.field, reference.parent_type,
                    reference.parent_id
                FROM unnest($2::bytea[], $3::text[]) AS wanted (id, entity_type)
                JOIN record_reference AS reference
                    ON reference.parent_id = wanted.id AND reference.parent_type = wanted.entity_type
                JOIN record ON record.id = reference.child_id AND record.entity_type = reference.child_type
                WHERE record.user_id = $1::bytea
                ORDER BY reference.child_id, reference.field
                """, [user, .ids(parents.map(\.id)), .texts(parents.map(\.entityType.rawValue))])
            let found = rows.map { row in
                let child = ChildRecord(
                    key: RecordKey(EntityType(rawValue: row.text(0)), row.id(1)), revision: row.number(2),
                    field: row.text(3))
                return (RecordKey(EntityType(rawValue: row.text(4)), row.id(5)), [child])
            }
            return Dictionary(found) { $0 + $1 }
        }
    }
#endif
