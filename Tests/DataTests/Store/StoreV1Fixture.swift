/// A store of the first release with a record of each kind, as SQL: never edited, whatever becomes of the store.
enum StoreV1Fixture {
    static let sql = """
        PRAGMA journal_mode = WAL;
        CREATE TABLE sync_migration (name TEXT PRIMARY KEY NOT NULL);
        INSERT INTO sync_migration VALUES ('trendy-1');
        CREATE TABLE event_type (id TEXT PRIMARY KEY NOT NULL, name TEXT, color TEXT, icon TEXT, user_id TEXT,
            created_at INTEGER, updated_at INTEGER, sync_status TEXT NOT NULL);
        CREATE TABLE staged_event_type (id TEXT PRIMARY KEY NOT NULL, name TEXT, color TEXT, icon TEXT, user_id TEXT,
            created_at INTEGER, updated_at INTEGER);
        CREATE TABLE geofence (id TEXT PRIMARY KEY NOT NULL, name TEXT, latitude REAL, longitude REAL, radius REAL,
            event_type_entry_id TEXT, event_type_exit_id TEXT, is_active INTEGER, notify_on_entry INTEGER,
            notify_on_exit INTEGER, ios_region_identifier TEXT, user_id TEXT, created_at INTEGER,
            updated_at INTEGER, sync_status TEXT NOT NULL);
        CREATE TABLE staged_geofence (id TEXT PRIMARY KEY NOT NULL, name TEXT, latitude REAL, longitude REAL,
            radius REAL, event_type_entry_id TEXT, event_type_exit_id TEXT, is_active INTEGER,
            notify_on_entry INTEGER, notify_on_exit INTEGER, ios_region_identifier TEXT, user_id TEXT,
            created_at INTEGER, updated_at INTEGER);
        CREATE TABLE property_definition (id TEXT PRIMARY KEY NOT NULL, event_type_id TEXT, key TEXT, label TEXT,
            property_type TEXT, options TEXT, default_value TEXT, display_order INTEGER, user_id TEXT,
            created_at INTEGER, updated_at INTEGER, sync_status TEXT NOT NULL);
        CREATE TABLE staged_property_definition (id TEXT PRIMARY KEY NOT NULL, event_type_id TEXT, key TEXT,
            label TEXT, property_type TEXT, options TEXT, default_value TEXT, display_order INTEGER, user_id TEXT,
            created_at INTEGER, updated_at INTEGER);
        CREATE INDEX property_definition_event_type_id ON property_definition (event_type_id);
        CREATE TABLE event (id TEXT PRIMARY KEY NOT NULL, event_type_id TEXT, timestamp INTEGER, notes TEXT,
            is_all_day INTEGER, end_date INTEGER, source_type TEXT, external_id TEXT, original_title TEXT,
            geofence_id TEXT, location_latitude REAL, location_longitude REAL, location_name TEXT,
            healthkit_sample_id TEXT, healthkit_category TEXT, properties TEXT, user_id TEXT, created_at INTEGER,
            updated_at INTEGER, sync_status TEXT NOT NULL);
        CREATE TABLE staged_event (id TEXT PRIMARY KEY NOT NULL, event_type_id TEXT, timestamp INTEGER, notes TEXT,
            is_all_day INTEGER, end_date INTEGER, source_type TEXT, external_id TEXT, original_title TEXT,
            geofence_id TEXT, location_latitude REAL, location_longitude REAL, location_name TEXT,
            healthkit_sample_id TEXT, healthkit_category TEXT, properties TEXT, user_id TEXT, created_at INTEGER,
            updated_at INTEGER);
        CREATE INDEX event_event_type_id_timestamp ON event (event_type_id, timestamp);
        CREATE INDEX event_timestamp_id ON event (timestamp, id);
        CREATE INDEX event_external_id ON event (external_id) WHERE external_id IS NOT NULL;
        CREATE INDEX event_geofence_id ON event (geofence_id) WHERE geofence_id IS NOT NULL;
        CREATE INDEX event_healthkit_sample_id ON event (healthkit_sample_id) WHERE healthkit_sample_id IS NOT NULL;
        CREATE INDEX event_id_tail ON event (substr(id, -6));
        CREATE TABLE sync_mutation (id INTEGER PRIMARY KEY AUTOINCREMENT, client_request_id TEXT NOT NULL,
            entity_type TEXT NOT NULL, operation TEXT NOT NULL, entity_id TEXT NOT NULL, payload BLOB, base BLOB,
            created_at INTEGER NOT NULL, attempts INTEGER NOT NULL, last_error TEXT, last_attempt_at INTEGER,
            state TEXT NOT NULL, state_detail TEXT, batch_key TEXT, settled_at INTEGER, answer_entity_id TEXT,
            answer_updated_at INTEGER, answer_awaits_echo INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX sync_mutation_entity ON sync_mutation (entity_id, entity_type);
        CREATE INDEX sync_mutation_state ON sync_mutation (state);
        CREATE INDEX sync_mutation_state_type ON sync_mutation (state, entity_type);
        CREATE INDEX sync_mutation_settled ON sync_mutation (settled_at) WHERE settled_at IS NOT NULL;
        CREATE TABLE sync_metadata (key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE sync_document (collection TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (collection, id)) WITHOUT ROWID;

        INSERT INTO event_type VALUES ('t1', 'coffee', '#112233', 'cup', 'u', 1, 2, 'synced');
        INSERT INTO geofence VALUES
            ('g1', 'home', 1.5, -2.5, 100, 't1', NULL, 1, 0, 1, NULL, NULL, NULL, NULL, 'pending');
        INSERT INTO property_definition VALUES
            ('p1', 't1', 'size', 'Size', 'select', '["s","l"]', '"s"', 3, NULL, NULL, NULL, 'failed');
        INSERT INTO event VALUES ('e1', 't1', 1763600000123, 'note', 0, NULL, 'manual', NULL, NULL, 'g1', NULL, NULL,
            NULL, NULL, NULL, '{"size":{"type":"number","value":2}}', 'u', 5, 6, 'pending');
        INSERT INTO sync_mutation VALUES (7, 'key', 'event', 'update', 'e1', CAST('{"notes":"note"}' AS BLOB), NULL, 9,
            1, 'timeout', 10, 'parked',
            '{"name":"parked","reason":{"code":"rejected","fields":[],"message":"no"}}', NULL, 11, NULL, NULL, 0);
        INSERT INTO sync_metadata VALUES ('cursor', '42');
        INSERT INTO sync_document VALUES ('history', 'h1', '{"id":"h1","started_at":"2026-01-01T00:00:00.000Z",
            "finished_at":"2026-01-01T00:00:01.000Z","pushed":1,"pulled":2,"bootstrapped":false}');
        """
}
