import TrendyData
import TrendyDomain

/// Events as people read them.
@MainActor
struct EventLines {
    private let context: CommandContext
    private let types: [String: EventType]
    private let nameWidth: Int

    init(context: CommandContext) throws {
        self.context = context
        let all = try context.reader.fetch(EventType.self).map(\.entity)
        types = Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        nameWidth = min(30, max(4, all.map(\.name.count).max() ?? 4))
    }

    /// The name of an event's type.
    func typeName(_ event: Event) -> String {
        types[event.eventTypeId]?.name ?? "(type \(ShortId.of(event.eventTypeId)))"
    }

    var header: String { context.style.bold(row("ID", "WHEN", "TYPE", "DETAILS")) }

    /// One line about an event.
    func line(_ record: LocalRecord<Event>) -> String {
        let event = record.entity
        let zone = context.process.zone
        let start = event.isAllDay ? zone.dayText(event.timestamp) : zone.minuteText(event.timestamp)
        var details: [String] = []
        if let end = event.endDate {
            details.append("until \(event.isAllDay ? zone.dayText(end) : zone.minuteText(end))")
        }
        for (key, value) in event.properties.sorted(by: { $0.key < $1.key }) {
            details.append("\(key)=\(context.properties.text(value))")
        }
        if let name = event.locationName { details.append("@ \(name)") }
        if let notes = event.notes { details.append(notes) }
        if record.syncStatus == .failed { details.append("(refused, see 'trendy queue list')") }
        return row(ShortId.of(event.id), start, typeName(event), details.joined(separator: "  "))
    }

    private func row(_ id: String, _ when: String, _ type: String, _ details: String) -> String {
        let cells = [(id, ShortId.length), (when, 19), (TextTable.singleLine(type), nameWidth)]
        let padded = cells.map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
        return (padded + [TextTable.singleLine(details)]).joined(separator: "  ")
    }

    /// Everything about an event, a field a line.
    func details(_ record: LocalRecord<Event>) -> [String] {
        let event = record.entity
        let zone = context.process.zone
        var fields: [(String, String?)] = [
            ("id", event.id), ("type", typeName(event)), ("when", zone.spanText(event)),
            ("all day", event.isAllDay ? "yes" : nil), ("note", event.notes),
        ]
        fields += event.properties.sorted { $0.key < $1.key }.map { ($0.key, context.properties.text($0.value)) }
        fields.append(("location", event.locationName))
        if let latitude = event.locationLatitude, let longitude = event.locationLongitude {
            fields.append(("coordinates", "\(NumberText.text(latitude)), \(NumberText.text(longitude))"))
        }
        fields += [
            ("place", event.geofenceId), ("source", event.sourceType.rawValue), ("title", event.originalTitle),
            ("external id", event.externalId), ("health sample", event.healthKitSampleId),
            ("health category", event.healthKitCategory), ("sync", record.syncStatus.rawValue),
            ("changed on server", record.server.updatedAt.map(zone.minuteText)),
        ]
        let present = fields.compactMap { name, value in value.map { (name, $0) } }
        let width = present.map(\.0.count).max() ?? 0
        return present.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + TextTable.singleLine(value)
        }
    }
}
