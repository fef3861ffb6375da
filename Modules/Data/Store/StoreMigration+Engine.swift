extension StoreMigration {
    /// The tables that every store has: the outbox, the bases of records and the memory of the engine, oldest step
    /// first. Steps are added, never changed.
    static let engine = [
        StoreMigration("exchange-2") { schema in
            try createMutationTable(schema)
            try createVersionTables(schema)
            try createMemoryTables(schema)
            try StoreCounts.create(schema)
            try StoreCounts.keepMutations(schema)
        },
        StoreMigration("exchange-3") { schema in
            // Null for most mutations, which costs less than a number.
            try schema.execute(sql: "ALTER TABLE sync_mutation ADD COLUMN is_adopted INTEGER")
        },
    ]

    private static func createMutationTable(_ schema: SchemaEditor) throws {
        // AUTOINCREMENT: an id that was deleted is never given again. Ids of records have no type: see StoredId.
        // Payloads have a table of their own: a change of state rewrites a short row, and the pages of what was
        // accepted are free at once.
        try schema.execute(
            sql: """
                CREATE TABLE sync_mutation (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    client_request_id NOT NULL,
                    entity_type TEXT NOT NULL,
                    operation TEXT NOT NULL,
                    entity_id NOT NULL,
                    created_at INTEGER NOT NULL,
                    attempts INTEGER NOT NULL,
                    last_error TEXT,
                    last_attempt_at INTEGER,
                    state TEXT NOT NULL,
                    state_detail TEXT,
                    settled_at INTEGER
                );
                CREATE TABLE sync_payload (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
                CREATE TRIGGER sync_mutation_emptied AFTER DELETE ON sync_mutation BEGIN
                    DELETE FROM sync_payload WHERE id = OLD.id;
                END;
                CREATE INDEX sync_mutation_entity ON sync_mutation (entity_id, entity_type);
                CREATE INDEX sync_mutation_state ON sync_mutation (state);
                CREATE INDEX sync_mutation_settled ON sync_mutation (settled_at) WHERE settled_at IS NOT NULL;
                """)
        // Deletions are few, and the results of each answer are compared with them.
        try schema.execute(
            sql: """
                CREATE INDEX sync_mutation_deletion ON sync_mutation (state) WHERE operation = 'delete'
                """)
    }

    private static func createVersionTables(_ schema: SchemaEditor) throws {
        try schema.execute(
            sql: """
                CREATE TABLE sync_base (
                    entity_type TEXT NOT NULL, id NOT NULL, document TEXT, is_deleted INTEGER NOT NULL,
                    revision INTEGER NOT NULL, created_revision INTEGER NOT NULL, PRIMARY KEY (entity_type, id)
                ) WITHOUT ROWID;
                CREATE TABLE sync_mark (
                    entity_type TEXT NOT NULL, id NOT NULL, PRIMARY KEY (entity_type, id)
                ) WITHOUT ROWID;
                """)
    }

    private static func createMemoryTables(_ schema: SchemaEditor) throws {
        try schema.execute(
            sql: """
                CREATE TABLE sync_metadata (
                    key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE sync_document (
                    collection TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (collection, id)
                ) WITHOUT ROWID;
                """)
    }
}
