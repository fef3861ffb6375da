/// The columns of Trendy's own CSV export that hold what foreign files do not have.
struct ExportedColumns {
    let sourceType: Int
    let externalId: Int
    let originalTitle: Int
    let geofenceId: Int
    let healthKitSampleId: Int
    let healthKitCategory: Int

    static let names = [
        "source_type", "external_id", "original_title", "geofence_id", "healthkit_sample_id", "healthkit_category",
    ]

    /// Finds the columns among the names of all; nil where the file is no export of Trendy's.
    init?(_ names: [String]) {
        guard names.contains("event_type_id") else { return nil }
        let found = Self.names.compactMap { names.firstIndex(of: $0) }
        guard found.count == Self.names.count else { return nil }
        (sourceType, externalId, originalTitle) = (found[0], found[1], found[2])
        (geofenceId, healthKitSampleId, healthKitCategory) = (found[3], found[4], found[5])
    }
}
