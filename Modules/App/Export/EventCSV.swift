import TrendyData
import TrendyDomain
import TrendyNotation

/// Events as rows of CSV: every field under its wire name, the type also by name, a column for each property.
@MainActor
struct EventCSV {
    private let typeNames: [String: String]
    private let keys: [String]
    private var writer = CSVWriter()

    init(context: CommandContext) throws {
        let types = try context.reader.fetch(EventType.self)
        typeNames = Dictionary(types.map { ($0.id, $0.entity.name) }, uniquingKeysWith: { first, _ in first })
        keys = Set(try context.reader.fetch(PropertyDefinition.self).map(\.entity.key)).sorted()
    }

    /// The names of the columns.
    mutating func header() -> [UInt8] {
        let own = [
            "id", "event_type", "event_type_id", "timestamp", "end_date", "is_all_day", "notes", "source_type",
            "external_id", "original_title", "geofence_id", "location_latitude", "location_longitude",
            "location_name", "healthkit_sample_id", "healthkit_category", "sync_status", "properties",
        ]
        writer.add(own + keys.map { "property:\($0)" })
        return writer.take()
    }

    mutating func row(_ record: LocalRecord<Event>) throws -> [UInt8] {
        let event = record.entity
        var fields = [event.id, typeNames[event.eventTypeId] ?? "", event.eventTypeId, event.timestamp.description]
        fields += [
            event.endDate?.description ?? "", event.isAllDay ? "true" : "false", event.notes ?? "",
            event.sourceType.rawValue, event.externalId ?? "", event.originalTitle ?? "", event.geofenceId ?? "",
        ]
        fields += [
            event.locationLatitude.map(NumberText.text) ?? "", event.locationLongitude.map(NumberText.text) ?? "",
            event.locationName ?? "", event.healthKitSampleId ?? "", event.healthKitCategory ?? "",
            record.syncStatus.rawValue,
        ]
        fields.append(event.properties.isEmpty ? "" : try json(event.properties))
        for key in keys { fields.append(try event.properties[key].map(text) ?? "") }
        writer.add(fields)
        return writer.take()
    }

    /// The day of a date that names one; what the server has for it is in the column of all properties.
    private func text(_ value: PropertyValue) throws -> String { try value.day?.description ?? text(value.value) }

    private func text(_ value: JSONValue) throws -> String {
        switch value {
        case .string(let text): text
        case .number(let number): NumberText.text(number)
        case .integer(let number): String(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .null: ""
        case .array, .object: try json(value)
        }
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encode(value), as: UTF8.self)
    }
}
