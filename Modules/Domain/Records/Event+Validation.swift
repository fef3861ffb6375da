extension Event {
    /// Refuses what a person must not write, with every complaint at once.
    public func validate() throws {
        var checks = FieldChecks()
        checks.requireId(id, "id")
        checks.requireId(eventTypeId, "event_type_id")
        checks.requireId(geofenceId, "geofence_id")
        if let endDate {
            checks.require(endDate >= timestamp, "end_date", "must not be before the timestamp", code: "out_of_range")
        }
        let sources = SourceType.known.map(\.rawValue).joined(separator: ", ")
        checks.require(
            SourceType.known.contains(sourceType), "source_type", "must be one of \(sources)", code: "unknown")
        checks.requireKeepable(.string(sourceType.rawValue), "source_type")
        checkTexts(&checks)
        checkLocation(&checks)
        checks.require(properties.count <= 100, "properties", "are more than 100", code: "too_long")
        for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
            checks.requireText(key, "properties", max: 100)
            value.check(key, &checks)
        }
        try checks.throwIfAny(for: Self.entityType)
    }

    /// Refuses what no server should send: values that nothing here could use.
    public func validateReceived() throws {
        var checks = FieldChecks()
        checks.requireNotBlank(id, "id")
        checks.requireNotBlank(eventTypeId, "event_type_id")
        try checks.throwIfAny(for: Self.entityType)
    }

    /// How many code points a note can have, as servers have it.
    public static let noteLimit = 10_000

    private func checkTexts(_ checks: inout FieldChecks) {
        checks.requireLength(notes, "notes", max: Self.noteLimit)
        checks.requireLength(externalId, "external_id", max: 500)
        checks.requireLength(originalTitle, "original_title", max: 1_000)
        checks.requireLength(locationName, "location_name", max: 500)
        checks.requireLength(healthKitSampleId, "healthkit_sample_id", max: 200)
        checks.requireLength(healthKitCategory, "healthkit_category", max: 200)
    }

    private func checkLocation(_ checks: inout FieldChecks) {
        checks.requireRange(locationLatitude, "location_latitude", -90...90)
        checks.requireRange(locationLongitude, "location_longitude", -180...180)
        checks.require(
            (locationLatitude == nil) == (locationLongitude == nil), "location_latitude",
            "and location_longitude go together", code: "required")
    }
}
