import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The details of an event for people.
@MainActor
struct EventLines {
    private let context: CommandContext
    private let types: [String: EventType]
    private let missing: MissingTypes

    init(context: CommandContext) throws {
        self.context = context
        missing = MissingTypes(try context.reader)
        let all = try context.reader.fetch(EventType.self).map(\.entity)
        types = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name of an event's type; nil if the type is missing.
    func knownTypeName(_ event: Event) -> String? { types[event.eventTypeId]?.name }

    /// The name of an event's type, or a text that replaces it.
    func typeName(_ event: Event) -> String {
        knownTypeName(event) ?? missing.name(of: event.eventTypeId)
    }

    /// The name of an event's place, or the id of a missing one; nil if it has none.
    private func placeName(_ event: Event) throws -> String? {
        guard let id = event.geofenceId else { return nil }
        return try context.reader.find(Geofence.self, id: id)?.entity.name ?? id
    }

    /// All fields of an event, one per line, with all lines of the note.
    func details(_ record: LocalRecord<Event>) throws -> [String] {
        let event = record.entity
        let zone = context.process.zone
        let place = try placeName(event)
        var fields: [(name: String, value: String?)] = [
            ("id", event.id), ("type", typeName(event)), ("when", zone.spanText(event)),
            ("all day", event.isAllDay ? "yes" : nil), ("note", event.notes),
        ]
        fields += event.properties.sorted { $0.key < $1.key }.map { ($0.key, context.properties.text($0.value)) }
        fields.append(("location", event.locationName))
        if let latitude = event.locationLatitude, let longitude = event.locationLongitude {
            fields.append(("coordinates", "\(NumberText.text(latitude)), \(NumberText.text(longitude))"))
        }
        fields += [
            ("place", place), ("source", event.sourceType.rawValue), ("title", event.originalTitle),
            ("external id", event.externalId), ("health sample", event.healthKitSampleId),
            ("health category", event.healthKitCategory), ("sync", record.syncStatus.rawValue),
            ("changed on server", record.server.updatedAt.map(zone.minuteText)),
        ]
        return FactLines.of(fields, keepsLines: true)
    }
}
