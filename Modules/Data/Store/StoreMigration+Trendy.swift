import TrendyDomain

extension StoreMigration {
    /// The tables of the Trendy app's four kinds, oldest step first: what ``EntitySchema/trendy`` needs.
    ///
    /// Steps are added, never changed.
    public static let trendy = [
        StoreMigration("trendy-records-1") { schema in
            try createRecordTables(schema)
            try createEventIndexes(schema)
            for type in EntitySchema.trendy.types { try schema.keepCount(of: type.entityType) }
        }
    ]

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
        // Statistics by hour leave out events that last all day: with the flag in the index they read no record.
        try schema.createIndex(on: .event, ["event_type_id", "timestamp", "is_all_day"])
        try schema.createIndex(on: .event, ["timestamp", "id"])
        for field in ["external_id", "geofence_id", "healthkit_sample_id"] {
            try schema.createIndex(on: .event, [field], where: "\(field) IS NOT NULL")
        }
        // Events of several days are looked for by their end, and there are few of them.
        try schema.createIndex(on: .event, ["end_date"], where: "is_all_day = 1 AND end_date IS NOT NULL")
        // People name an event by the end of its id; the start of a UUID of version 7 is the time. Three
        // bytes are the last six digits of a UUID, and the last three characters of any other id.
        try schema.execute(sql: "CREATE INDEX event_id_tail ON event (substr(id, -3))")
    }
}
