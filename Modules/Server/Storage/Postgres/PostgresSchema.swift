#if Postgres
    import TrendyDomain

    /// The tables of a server's database on PostgreSQL.
    ///
    /// They are those of SQLite, with ids in the place of row numbers, so that nothing hands out numbers. Ids and keys are
    /// bytes as ``PostgresKey`` makes them, and documents are bytes too: they come back as they were.
    enum PostgresSchema {
        /// The version of the tables.
        static let version: Int64 = 6
        /// The version before, which is brought up to date. Servers that still use it must be stopped before.
        private static let former: Int64 = 5

        /// Several servers that start at once may each find no table.
        private static let mostAttempts = 20

        /// Makes the tables where there are none.
        ///
        /// - Throws: ``ServerStartError`` where they are of another version or another program, or ``PostgresError``.
        static func prepare(_ pool: PostgresPool) throws {
            var retry = PostgresRetry()
            for attempt in 1... {
                do {
                    return try pool.withConnection { connection in
                        try connection.run("CREATE TABLE IF NOT EXISTS trendy_schema (version INT8 PRIMARY KEY)")
                        try PostgresTransaction.run(on: connection, for: .records) {
                            try fill($0, database: pool.database.name)
                        }
                    }
                } catch let error as PostgresError {
                    // IF NOT EXISTS looks first and makes the table then.
                    let isRace = ["23505", "42P07", "42710", "XX000"].contains(error.sqlState) || error.isConflict
                    guard attempt < mostAttempts, isRace, retry.pause(after: error, isConflict: true) != nil else {
                        throw error
                    }
                }
            }
        }

        /// The row of the version is written first. Who writes it second waits until the first has made the tables, or has
        /// brought them up to date.
        private static func fill(_ transaction: PostgresTransaction, database: String) throws {
            let added = try transaction.change(
                "INSERT INTO trendy_schema (version) VALUES ($1::int8) ON CONFLICT DO NOTHING", [.number(version)])
            let versions = try transaction.query("SELECT version FROM trendy_schema").map { $0.number(0) }
            if versions.contains(where: { $0 < former }) { throw ServerStartError.developmentStore }
            if versions.contains(where: { $0 > version }) { throw ServerStartError.newerStore }
            if versions.contains(former) {
                for statement in runs { try transaction.write(statement) }
                try renewNaturalKeys(transaction)
                try transaction.write("DELETE FROM trendy_schema WHERE version = $1::int8", [.number(former)])
                return
            }
            if added.written == 0 { return }
            let names = try transaction.query(
                """
                SELECT table_name::text FROM information_schema.tables
                WHERE table_schema = current_schema() AND table_name = ANY ($1::text[])
                """,
                [
                    .texts([
                        "history", "record", "record_reference", "usage", "outcome", "account", "session", "token",
                        "invite", "run",
                    ])
                ])
            guard names.count == 0 else { throw ServerStartError.foreignDatabase(name: database) }
            for statement in tables + runs { try transaction.write(statement) }
        }

        /// The run that has made each head, and how far the earlier runs have written.
        private static let runs = [
            "ALTER TABLE history ADD COLUMN run TEXT NOT NULL DEFAULT ''",
            """
            CREATE TABLE run (
                user_id BYTEA NOT NULL,
                name TEXT NOT NULL,
                last INT8 NOT NULL,
                PRIMARY KEY (user_id, name)
            )
            """,
        ]

        /// Writes the natural keys of records anew, after their rule has changed. Records whose keys are equal now stay.
        private static func renewNaturalKeys(_ transaction: PostgresTransaction) throws {
            let kinds = NaturalKeyRenewal()
            let rows = try transaction.query(
                """
                SELECT id, entity_type, document FROM record
                WHERE document IS NOT NULL AND entity_type = ANY ($1::text[])
                """, [.texts(kinds.types.map(\.rawValue))])
            let keys = rows.map { row in
                let type = EntityType(rawValue: row.text(1))
                return kinds.key(of: type, row.data(2)).map { (id: row.id(0), type: type, key: $0) }
            }.compactMap { $0 }
            for place in stride(from: 0, to: keys.count, by: 1_000) {
                let piece = keys[place..<min(place + 1_000, keys.count)]
                try transaction.write(
                    """
                    UPDATE record SET natural_key = renewed.natural_key
                    FROM unnest($1::bytea[], $2::text[], $3::bytea[]) AS renewed (id, entity_type, natural_key)
                    WHERE record.id = renewed.id AND record.entity_type = renewed.entity_type
                    """,
                    [
                        .ids(piece.map(\.id)), .texts(piece.map(\.type.rawValue)),
                        .manyBytes(piece.map { PostgresKey.key($0.key) }),
                    ])
            }
        }

        private static let tables = [
            // A row without an epoch is there to be locked; nothing has happened in the account.
            """
            CREATE TABLE history (
                user_id BYTEA PRIMARY KEY,
                epoch TEXT,
                head INT8 NOT NULL,
                horizon INT8 NOT NULL
            )
            """,
            """
            CREATE TABLE record (
                id BYTEA NOT NULL,
                entity_type TEXT NOT NULL,
                user_id BYTEA NOT NULL,
                revision INT8 NOT NULL,
                created_revision INT8 NOT NULL,
                created_at INT8 NOT NULL,
                updated_at INT8 NOT NULL,
                sort_order INT8 NOT NULL,
                is_active INT8 NOT NULL,
                natural_key BYTEA,
                upsert_key BYTEA,
                document BYTEA,
                PRIMARY KEY (id, entity_type)
            )
            """,
            "CREATE UNIQUE INDEX record_revision ON record (user_id, revision)",
            """
            CREATE INDEX record_list ON record (user_id, entity_type, sort_order, id) WHERE document IS NOT NULL
            """,
            """
            CREATE INDEX record_natural_key ON record (user_id, entity_type, natural_key)
                WHERE natural_key IS NOT NULL
            """,
            """
            CREATE INDEX record_upsert_key ON record (user_id, entity_type, upsert_key) WHERE upsert_key IS NOT NULL
            """,
            """
            CREATE TABLE record_reference (
                parent_id BYTEA NOT NULL,
                parent_type TEXT NOT NULL,
                field TEXT NOT NULL,
                child_id BYTEA NOT NULL,
                child_type TEXT NOT NULL,
                PRIMARY KEY (parent_id, parent_type, field, child_id, child_type)
            )
            """,
            """
            CREATE TABLE usage (
                user_id BYTEA NOT NULL,
                entity_type TEXT NOT NULL,
                records INT8 NOT NULL,
                bytes INT8 NOT NULL,
                PRIMARY KEY (user_id, entity_type)
            )
            """,
            """
            CREATE TABLE outcome (
                user_id BYTEA NOT NULL,
                key BYTEA NOT NULL,
                digest INT8 NOT NULL,
                outcome TEXT,
                revision INT8 NOT NULL,
                kept_at INT8 NOT NULL,
                errors BYTEA,
                PRIMARY KEY (user_id, key)
            )
            """,
            """
            CREATE TABLE account (
                id BYTEA PRIMARY KEY,
                email BYTEA NOT NULL UNIQUE,
                password_hash BYTEA NOT NULL,
                password_salt BYTEA NOT NULL,
                password_rounds INT8 NOT NULL,
                password_block_size INT8 NOT NULL,
                password_parallelism INT8 NOT NULL,
                created_at INT8 NOT NULL,
                updated_at INT8 NOT NULL
            )
            """,
            """
            CREATE TABLE session (
                id BYTEA PRIMARY KEY,
                user_id BYTEA NOT NULL,
                device BYTEA,
                created_at INT8 NOT NULL,
                used_at INT8 NOT NULL,
                expires_at INT8 NOT NULL
            )
            """,
            "CREATE INDEX session_of_user ON session (user_id)",
            "CREATE INDEX session_expiry ON session (expires_at)",
            """
            CREATE TABLE token (
                hash BYTEA PRIMARY KEY,
                purpose TEXT NOT NULL,
                user_id BYTEA NOT NULL,
                session_id BYTEA NOT NULL,
                generation INT8 NOT NULL,
                expires_at INT8 NOT NULL,
                used_at INT8
            )
            """,
            "CREATE INDEX token_session ON token (session_id, generation)",
            "CREATE INDEX token_expiry ON token (expires_at)",
            """
            CREATE TABLE invite (
                hash BYTEA PRIMARY KEY,
                email BYTEA,
                created_at INT8 NOT NULL,
                expires_at INT8 NOT NULL
            )
            """,
        ]
    }
#endif
