import GRDB

/// The tables of a server's database and how older ones are brought up to date.
///
/// Records of every kind share one table and keep their wire JSON as it is sent: lists and the feed are
/// put together from it without decoding, and a new kind needs no new table.
enum ServerSchema {
    /// The version of the tables. Until the first release a change of them gives it another name, and no older
    /// database is opened.
    private static let current = "2026-11-25"

    /// Whether the migrations that a database has been through are those of a version before the first release.
    static func isOfDevelopment(_ database: Database) throws -> Bool {
        try migrator.appliedIdentifiers(database).contains("v1")
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(current) { database in
            try createRecords(database)
            try createHistories(database)
            try createChangeLog(database)
            try createReplies(database)
            try createAccounts(database)
        }
        return migrator
    }

    private static func createRecords(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE record (
                    entity_type TEXT NOT NULL,
                    id TEXT NOT NULL,
                    user_id TEXT NOT NULL,
                    sort_order INTEGER NOT NULL,
                    natural_key TEXT,
                    upsert_key TEXT,
                    is_active INTEGER NOT NULL,
                    document TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    updated_at INTEGER NOT NULL,
                    revision INTEGER NOT NULL,
                    created_revision INTEGER NOT NULL
                );
                CREATE UNIQUE INDEX record_key ON record (id, entity_type);
                CREATE UNIQUE INDEX record_revision ON record (user_id, revision);
                CREATE INDEX record_snapshot ON record (user_id, entity_type, id);
                CREATE INDEX record_list ON record (user_id, entity_type, sort_order, id);
                CREATE UNIQUE INDEX record_natural_key ON record (user_id, entity_type, natural_key)
                    WHERE natural_key IS NOT NULL;
                CREATE INDEX record_upsert_key ON record (user_id, entity_type, upsert_key)
                    WHERE upsert_key IS NOT NULL;
                CREATE TABLE record_reference (
                    parent_id TEXT NOT NULL,
                    child_type TEXT NOT NULL,
                    field TEXT NOT NULL,
                    child_id TEXT NOT NULL,
                    PRIMARY KEY (parent_id, child_type, field, child_id)
                ) WITHOUT ROWID;
                """)
    }

    private static func createHistories(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE history (
                    user_id TEXT NOT NULL PRIMARY KEY,
                    epoch TEXT NOT NULL,
                    head INTEGER NOT NULL,
                    horizon INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE tombstone (
                    user_id TEXT NOT NULL,
                    entity_type TEXT NOT NULL,
                    id TEXT NOT NULL,
                    revision INTEGER NOT NULL,
                    deleted_at INTEGER NOT NULL,
                    PRIMARY KEY (user_id, entity_type, id)
                ) WITHOUT ROWID;
                CREATE UNIQUE INDEX tombstone_revision ON tombstone (user_id, revision);
                CREATE TABLE mutation_key (
                    user_id TEXT NOT NULL,
                    key TEXT NOT NULL,
                    entity_type TEXT NOT NULL,
                    id TEXT NOT NULL,
                    revision INTEGER NOT NULL,
                    created_at INTEGER NOT NULL,
                    PRIMARY KEY (user_id, key)
                ) WITHOUT ROWID;
                CREATE INDEX mutation_key_age ON mutation_key (created_at);
                """)
    }

    private static func createChangeLog(_ database: Database) throws {
        // AUTOINCREMENT never gives an id twice, and there is one writer at a time: ids ascend as commits do.
        try database.execute(
            sql: """
                CREATE TABLE change_log (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    user_id TEXT NOT NULL,
                    entity_type TEXT NOT NULL,
                    entity_id TEXT NOT NULL,
                    operation TEXT NOT NULL,
                    data TEXT,
                    created_at INTEGER NOT NULL
                );
                CREATE INDEX change_log_user ON change_log (user_id, id);
                """)
    }

    private static func createReplies(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE idempotency_reply (
                    user_id TEXT NOT NULL,
                    route TEXT NOT NULL,
                    key TEXT NOT NULL,
                    entity_id TEXT NOT NULL,
                    fingerprint BLOB NOT NULL,
                    outcome TEXT NOT NULL,
                    document TEXT,
                    created_at INTEGER NOT NULL
                );
                CREATE UNIQUE INDEX idempotency_reply_key ON idempotency_reply (user_id, route, key);
                CREATE INDEX idempotency_reply_age ON idempotency_reply (created_at);
                """)
    }

    private static func createAccounts(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE account (
                    id TEXT NOT NULL PRIMARY KEY,
                    email TEXT NOT NULL UNIQUE,
                    password_hash BLOB NOT NULL,
                    password_salt BLOB NOT NULL,
                    password_rounds INTEGER NOT NULL,
                    password_block_size INTEGER NOT NULL,
                    password_parallelism INTEGER NOT NULL,
                    created_at INTEGER NOT NULL,
                    updated_at INTEGER NOT NULL
                );
                CREATE TABLE token (
                    hash BLOB NOT NULL PRIMARY KEY,
                    purpose TEXT NOT NULL,
                    user_id TEXT NOT NULL,
                    session_id TEXT NOT NULL,
                    expires_at INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE INDEX token_session ON token (session_id);
                CREATE INDEX token_expiry ON token (expires_at);
                """)
    }
}
