import TrendyDomain

extension StoreMigration {
    /// The history of the store of the Trendy app, oldest step first. Steps are added, never changed.
    static let trendy = [first]

    /// The shape of the first release.
    static let first = StoreMigration("trendy-1") { schema in
        try createRecordTables(schema)
        try createEventIndexes(schema)
        try createMutationTable(schema)
        try schema.execute(
            sql: """
                CREATE TABLE sync_metadata (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
                CREATE TABLE sync_document (
                    collection TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (collection, id)
                ) WITHOUT ROWID;
                """)
    }

    // The columns are spelt out, not taken from the types of today: those may gain fields later.
    private static func createRecordTables(_ schema: SchemaEditor) throws {
        try schema.createTable(for: .eventType, [.text("name"), .text("color"), .text("icon")])
        try schema.createTable(
            for: .geofence,
            [
                .text("name"), .real("latitude"), .real("longitude"), .real("radius"),
                .text("event_type_entry_id"), .text("event_type_exit_id"),
                .boolean("is_active"), .boolean("notify_on_entry"), .boolean("notify_on_exit"),
                .text("ios_region_identifier"),
            ])
        try schema.createTable(
            for: .propertyDefinition,
            [
                .text("event_type_id"), .text("key"), .text("label"), .text("property_type"), .json("options"),
                .json("default_value"), .integer("display_order"),
            ],
            indexes: [["event_type_id"]])
        try schema.createTable(
            for: .event,
            [
                .text("event_type_id"), .timestamp("timestamp"), .text("notes"), .boolean("is_all_day"),
                .timestamp("end_date"), .text("source_type"), .text("external_id"), .text("original_title"),
                .text("geofence_id"), .real("location_latitude"), .real("location_longitude"),
                .text("location_name"), .text("healthkit_sample_id"), .text("healthkit_category"),
                .json("properties"),
            ])
    }

    private static func createEventIndexes(_ schema: SchemaEditor) throws {
        try schema.createIndex(on: .event, ["event_type_id", "timestamp"])
        try schema.createIndex(on: .event, ["timestamp", "id"])
        for field in ["external_id", "geofence_id", "healthkit_sample_id"] {
            try schema.createIndex(on: .event, [field], where: "\(field) IS NOT NULL")
        }
        // People name an event by the end of its id; the start of a UUID of version 7 is the time.
        try schema.execute(sql: "CREATE INDEX event_id_tail ON event (substr(id, -6))")
    }

    private static func createMutationTable(_ schema: SchemaEditor) throws {
        // AUTOINCREMENT: an id that was deleted is never given again.
        try schema.execute(
            sql: """
                CREATE TABLE sync_mutation (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    client_request_id TEXT NOT NULL,
                    entity_type TEXT NOT NULL,
                    operation TEXT NOT NULL,
                    entity_id TEXT NOT NULL,
                    payload BLOB,
                    base BLOB,
                    created_at INTEGER NOT NULL,
                    attempts INTEGER NOT NULL,
                    last_error TEXT,
                    last_attempt_at INTEGER,
                    state TEXT NOT NULL,
                    state_detail TEXT,
                    batch_key TEXT,
                    settled_at INTEGER,
                    answer_entity_id TEXT,
                    answer_updated_at INTEGER,
                    answer_awaits_echo INTEGER NOT NULL DEFAULT 0
                );
                CREATE INDEX sync_mutation_entity ON sync_mutation (entity_id, entity_type);
                CREATE INDEX sync_mutation_state ON sync_mutation (state);
                CREATE INDEX sync_mutation_state_type ON sync_mutation (state, entity_type);
                CREATE INDEX sync_mutation_settled ON sync_mutation (settled_at) WHERE settled_at IS NOT NULL;
                """)
    }
}
