import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The values of an event as people read them.
@MainActor
struct EventText {
    let now: Timestamp
    let zone: LocalZone
    private let properties: PropertyText
    private let faces: [String: TypeFace]
    private let missing: MissingTypes
    private let places: [String: String]

    /// - Parameter withPlaces: Whether the names of places are needed.
    init(context: CommandContext, withPlaces: Bool = false) throws {
        now = context.now
        zone = context.process.zone
        properties = context.properties
        missing = MissingTypes(try context.reader)
        let all = try context.reader.fetch(EventType.self).map(\.entity)
        faces = Dictionary(all.map { ($0.id, TypeFace($0)) }, uniquingKeysWith: { first, _ in first })
        let known = withPlaces ? try context.reader.fetch(Geofence.self).map(\.entity) : []
        places = Dictionary(known.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name of an event's type.
    func typeName(_ event: Event) -> String { typeName(id: event.eventTypeId) }

    /// The name of the type of that id.
    func typeName(id: String) -> String { faces[id]?.name ?? missing.name(of: id) }

    /// How an event's type is shown; nil where the type is not here.
    func face(_ event: Event) -> TypeFace? { faces[event.eventTypeId] }

    /// How these types are shown; all types where none are named.
    func faces(of ids: Set<String>?) -> [TypeFace] {
        ids.map { $0.compactMap { faces[$0] } } ?? Array(faces.values)
    }

    /// A value of a property.
    func value(_ value: PropertyValue) -> String { TextTable.singleLine(properties.text(value)) }

    /// The properties as `km=7.5  size=large`, by key.
    func properties(_ event: Event) -> [String] {
        event.properties.sorted { $0.key < $1.key }.map { "\(TextTable.singleLine($0.key))=\(value($0.value))" }
    }

    /// The duration; nil for an event without an end, and for an all-day event.
    func duration(_ event: Event) -> String? {
        guard let end = event.endDate, !event.isAllDay else { return nil }
        return DurationText.text(end.seconds(since: event.timestamp).rounded(.down))
    }

    /// The end: a time of day on the same day, otherwise with the date.
    func end(_ event: Event) -> String? {
        guard let end = event.endDate else { return nil }
        if event.isAllDay { return zone.endText(event) }
        let day = zone.dayText(end)
        return day == zone.dayText(event.timestamp) ? zone.clockText(end) : "\(day) \(zone.clockText(end))"
    }

    /// The text of a column; empty if the event has no value.
    func text(_ column: EventColumn, _ record: LocalRecord<Event>) -> String {
        switch column {
        case .property(let key): record.entity.properties[property: key].map(value) ?? ""
        case .fact(let fact): TextTable.singleLine(text(fact, record))
        }
    }

    private func text(_ fact: EventColumn.Fact, _ record: LocalRecord<Event>) -> String {
        let event = record.entity
        switch fact {
        case .id: return event.id
        case .shortId: return ShortId.of(event.id)
        case .type: return typeName(event)
        case .typeId: return event.eventTypeId
        case .time: return zone.startText(event)
        case .timestamp: return event.timestamp.description
        case .date: return zone.firstDay(of: event).description
        case .clock: return event.isAllDay ? "" : zone.clockText(event.timestamp)
        case .weekday: return zone.firstDay(of: event).weekday.description
        case .ago: return RelativeTime.text(event.timestamp, now: now)
        case .end: return zone.endText(event) ?? ""
        case .endDate: return event.endDate?.description ?? ""
        case .duration: return duration(event) ?? ""
        case .allDay: return event.isAllDay ? "yes" : "no"
        default: return description(fact, record)
        }
    }

    private func description(_ fact: EventColumn.Fact, _ record: LocalRecord<Event>) -> String {
        let event = record.entity
        switch fact {
        case .note: return event.notes ?? ""
        case .location: return event.locationName ?? ""
        case .lat: return event.locationLatitude.map(NumberText.text) ?? ""
        case .lon: return event.locationLongitude.map(NumberText.text) ?? ""
        case .place: return event.geofenceId.map { places[$0] ?? $0 } ?? ""
        case .title: return event.originalTitle ?? ""
        case .externalId: return event.externalId ?? ""
        case .source: return event.sourceType.rawValue
        case .sync: return record.syncStatus.rawValue
        case .props: return properties(event).joined(separator: " ")
        default: return ""
        }
    }
}
