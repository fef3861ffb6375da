package import TrendyDomain
import TrendyNotation

/// Events as rows of CSV: every field with its wire name, the name of the type, and a column for each property, in any
/// spelling of its key.
@MainActor
package struct EventCSV {
    private let typeNames: [String: String]
    private let keys: [String]
    private let spellings: Set<String>
    private var writer = CSVWriter()

    /// - Parameters:
    ///   - typeNames: The names of the types by their ids.
    ///   - keys: The keys of all properties.
    package init(typeNames: [String: String], keys: Set<String>) {
        self.typeNames = typeNames
        var seen: Set<NameKey> = []
        self.keys = keys.sorted().filter { seen.insert(NameKey($0)).inserted }
        spellings = Set(self.keys)
    }

    /// The names of the columns.
    package mutating func header() -> [UInt8] {
        let own = [
            "id", "event_type", "event_type_id", "timestamp", "end_date", "is_all_day", "notes", "source_type",
            "external_id", "original_title", "geofence_id", "location_latitude", "location_longitude",
            "location_name", "healthkit_sample_id", "healthkit_category", "sync_status", "properties",
        ]
        writer.add(own + keys.map { "property:\($0)" })
        return writer.take()
    }

    package mutating func row(_ record: LocalRecord<Event>) throws -> [UInt8] {
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
        // Nearly all events spell their keys as the columns do; to compare names takes much longer.
        let isSpeltAlike = event.properties.keys.allSatisfy(spellings.contains)
        for key in keys {
            let value = isSpeltAlike ? event.properties[key] : event.properties[property: key]
            fields.append(try value.map(text) ?? "")
        }
        writer.add(fields)
        return writer.take()
    }

    /// The text of a value; for a date only its day, as the exact value is in the column `properties`.
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

/// Writes CSV (RFC 4180): fields are quoted if needed, and lines end with CRLF.
struct CSVWriter {
    private(set) var bytes: [UInt8] = []

    /// Adds a record.
    mutating func add(_ fields: [String]) {
        for (position, field) in fields.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field, mustQuote: fields.count == 1 && field.isEmpty)
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// Empties the writer, and returns its text.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private mutating func append(_ field: String, mustQuote: Bool) {
        let needsQuotes =
            mustQuote
            || field.utf8.contains { byte in
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
                    || byte == UInt8(ascii: "\r")
            }
        guard needsQuotes else {
            bytes.append(contentsOf: field.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
