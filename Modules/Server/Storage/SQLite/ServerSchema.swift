import GRDB
import TrendyDomain

/// The tables of a server's database and how older ones are brought up to date.
///
/// Records of every kind share one table with what is left of deleted ones: changes are one index of it, and a new
/// kind needs no new table. Documents are kept as they came, without what the server adds.
enum ServerSchema {
    /// The version in which the tables were made first. No database of an older one is opened.
    private static let first = "2026-11-27.1"

    /// Whether a database is of a version before the first release.
    static func isOfDevelopment(_ database: Database) throws -> Bool {
        let applied = try migrator.appliedIdentifiers(database)
        return !applied.isEmpty && !applied.contains(first)
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(first) { database in
            try database.execute(sql: records)
            try database.execute(sql: accounts)
        }
        migrator.registerMigration("2026-11-27.2") { try $0.execute(sql: runs) }
        migrator.registerMigration("2026-11-27.3") { try renewNaturalKeys($0) }
        return migrator
    }

    /// Writes the natural keys of records anew, after their rule has changed. Records whose keys are equal now stay.
    private static func renewNaturalKeys(_ database: Database) throws {
        let kinds = NaturalKeyRenewal()
        let query = try RawStatement(
            "SELECT number, document FROM record WHERE entity_type = ? AND document IS NOT NULL", database)
        let update = try RawStatement("UPDATE record SET natural_key = ? WHERE number = ?", database)
        for type in kinds.types {
            var keys: [(number: Int64, key: String)] = []
            query.bind(1, type.rawValue)
            try query.forEach {
                if let key = kinds.key(of: type, query.json(1)) { keys.append((query.number(0), key)) }
            }
            for (number, key) in keys {
                update.bind(1, key)
                update.bind(2, number)
                try update.run()
            }
        }
    }

    /// Rows name each other by numbers, ids and keys that are UUIDs take 16 bytes, and what is equal to the column
    /// before is null: `created_revision` to `revision`, `updated_at` to `created_at`. A row without a document is a
    /// tombstone.
    private static let records = """
        CREATE TABLE history (
            account INTEGER PRIMARY KEY,
            user_id TEXT NOT NULL UNIQUE,
            epoch TEXT NOT NULL,
            head INTEGER NOT NULL,
            horizon INTEGER NOT NULL
        );
        CREATE TABLE record (
            number INTEGER PRIMARY KEY,
            account INTEGER NOT NULL,
            entity_type TEXT NOT NULL,
            id BLOB NOT NULL,
            revision INTEGER NOT NULL,
            created_revision INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER,
            sort_order INTEGER NOT NULL,
            is_active INTEGER NOT NULL,
            natural_key TEXT,
            upsert_key TEXT,
            document TEXT
        );
        CREATE UNIQUE INDEX record_key ON record (id, entity_type);
        CREATE UNIQUE INDEX record_revision ON record (account, revision);
        CREATE INDEX record_list ON record (account, entity_type, sort_order, id) WHERE document IS NOT NULL;
        CREATE INDEX record_natural_key ON record (account, entity_type, natural_key) WHERE natural_key IS NOT NULL;
        CREATE INDEX record_upsert_key ON record (account, entity_type, upsert_key) WHERE upsert_key IS NOT NULL;
        CREATE TABLE record_reference (
            parent INTEGER NOT NULL,
            field TEXT NOT NULL,
            child INTEGER NOT NULL,
            PRIMARY KEY (parent, field, child)
        ) WITHOUT ROWID;
        CREATE TABLE usage (
            account INTEGER NOT NULL,
            entity_type TEXT NOT NULL,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (account, entity_type)
        ) WITHOUT ROWID;
        CREATE TABLE outcome (
            account INTEGER NOT NULL,
            key BLOB NOT NULL,
            digest INTEGER NOT NULL,
            outcome TEXT,
            revision INTEGER NOT NULL,
            kept_at INTEGER NOT NULL,
            errors TEXT,
            PRIMARY KEY (account, key)
        ) WITHOUT ROWID;
        """

    /// The run that has made each head, and how far the earlier runs have written.
    private static let runs = """
        ALTER TABLE history ADD COLUMN run TEXT NOT NULL DEFAULT '';
        CREATE TABLE run (
            account INTEGER NOT NULL,
            name TEXT NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (account, name)
        ) WITHOUT ROWID;
        """

    private static let accounts = """
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
        CREATE TABLE session (
            id TEXT NOT NULL PRIMARY KEY,
            user_id TEXT NOT NULL,
            device TEXT,
            created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX session_of_user ON session (user_id);
        CREATE INDEX session_expiry ON session (expires_at);
        CREATE TABLE token (
            hash BLOB NOT NULL PRIMARY KEY,
            purpose TEXT NOT NULL,
            user_id TEXT NOT NULL,
            session_id TEXT NOT NULL,
            generation INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            used_at INTEGER
        ) WITHOUT ROWID;
        CREATE INDEX token_session ON token (session_id, generation);
        CREATE INDEX token_expiry ON token (expires_at);
        CREATE TABLE invite (
            hash BLOB NOT NULL PRIMARY KEY,
            email TEXT,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
