package import TrendyDomain
package import TrendyNotation

/// A JSON event that a person or another program wrote: with the name of its type, and without Trendy's ids.
///
/// It has some fields of an export. Times may be written as for `log`; a property may be a plain value.
package struct JSONEventDraft {
    private let fields: [String: JSONValue]
    private let bytes: [UInt8]

    /// - Throws: ``RowError`` if the element is not an object.
    package init(_ element: JSONElement) throws(RowError) {
        fields = try element.decode([String: JSONValue].self)
        bytes = element.bytes
    }

    /// The event.
    ///
    /// - Throws: ``RowError`` with the wrong field.
    package func draft(times: WhenParser) throws(RowError) -> EventDraft {
        guard let type = try text("event_type").map(Names.trimmed), !type.isEmpty else {
            throw RowError("'event_type' is missing: the name of the type of the event")
        }
        guard let start = try moment("timestamp", times) else { throw RowError("'timestamp' is missing") }
        var draft = EventDraft(type: type, timestamp: start, identity: try identity())
        draft.endDate = try moment("end_date", times, from: start)
        draft.notes = try text("notes")
        draft.originalTitle = try text("original_title")
        draft.locationName = try text("location_name")
        draft.latitude = try number("location_latitude")
        draft.longitude = try number("location_longitude")
        switch fields["is_all_day"] {
        case nil, .null: break
        case .boolean(let flag): draft.isAllDay = flag
        default: throw RowError("'is_all_day' is neither true nor false")
        }
        if draft.isAllDay, isOfHere("timestamp", times) {
            draft.beginDays(in: times.zone, withEnd: isOfHere("end_date", times))
        }
        draft.properties = try properties()
        return draft
    }

    /// The external id if it has one, otherwise its content.
    private func identity() throws(RowError) -> EventDraft.Identity {
        for field in ["external_id", "id"] {
            if let name = try text(field), !name.isEmpty { return .named(name) }
        }
        var hash = Hash128()
        hash.add(bytes)
        return .content("json", hash)
    }

    private func properties() throws(RowError) -> [(key: String, value: EventDraft.Value)] {
        guard let value = fields["properties"], value != .null else { return [] }
        guard let members = value.objectValue else { throw RowError("'properties' is not an object") }
        var found: [(key: String, value: EventDraft.Value)] = []
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let value = try property(key, value) else { continue }
            found.append((key, .typed(value)))
        }
        return found
    }

    private func property(_ key: String, _ value: JSONValue) throws(RowError) -> PropertyValue? {
        switch value {
        case .null: return nil
        case .string(let text): return .text(text)
        case .boolean(let flag): return .boolean(flag)
        case .integer(let whole): return .number(Double(whole))
        case .number(let number): return .number(number)
        case .object(let members):
            guard let kind = members["type"]?.stringValue else { break }
            return PropertyValue(type: PropertyType(rawValue: kind), value: members["value"] ?? .null)
        case .array: break
        }
        throw RowError("'properties.\(key)' is neither a value nor {\"type\": …, \"value\": …}")
    }

    private func text(_ field: String) throws(RowError) -> String? {
        switch fields[field] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw RowError("'\(field)' is not text")
        }
    }

    private func number(_ field: String) throws(RowError) -> Double? {
        guard let value = fields[field], value != .null else { return nil }
        guard let number = value.doubleValue else { throw RowError("'\(field)' is not a number") }
        return number
    }

    /// Whether a field is in local time, without an offset from UTC, and not in seconds since 1970.
    private func isOfHere(_ field: String, _ times: WhenParser) -> Bool {
        guard let text = fields[field]?.stringValue else { return false }
        return times.reading(text)?.civil != nil
    }

    /// - Parameter start: The start of the event, if the field is its end.
    private func moment(
        _ field: String, _ times: WhenParser, from start: Timestamp? = nil
    ) throws(RowError) -> Timestamp? {
        if let seconds = fields[field]?.doubleValue {
            guard let moment = times.momentOrEpoch(NumberText.text(seconds)) else {
                throw RowError("'\(field)' is not a time")
            }
            return moment
        }
        guard var text = try text(field) else { return nil }
        if let start { text = try times.endText(text, from: start) }
        guard let moment = times.moment(text) else { throw RowError("'\(text)' in '\(field)' is not a time") }
        return moment
    }
}

/// A record of an export: its fields, with those of the server and the device.
package struct ExportedRecord<Entity: SyncEntity>: Decodable {
    /// The record; nil for an event without an id or the id of its type, such as one written by hand.
    package let entity: Entity?
    /// The owner, if a server had the record.
    package let owner: String?
    /// The names of unknown fields.
    package let unknownFields: [String]

    /// Fields that are in exports but not in records. The name of the type is ignored, because its id counts.
    private static var added: Set<String> {
        [
            "user_id", "created_at", "updated_at", "sync_status", "revision", "created_revision", "entity_type",
            "event_type",
        ]
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let names = container.allKeys.map(\.stringValue)
        let known = Set(Entity.fields).union(Self.added)
        unknownFields = names.filter { !known.contains($0) }
        owner = try container.decodeIfPresent(String.self, forKey: AnyKey(stringValue: "user_id"))
        let isDraft = Entity.self == Event.self && !(names.contains("id") && names.contains("event_type_id"))
        entity = try isDraft ? nil : Entity(from: decoder)
    }
}

/// Any name of a member.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
