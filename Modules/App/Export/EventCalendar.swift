import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Events as a calendar.
@MainActor
struct EventCalendar {
    private let typeNames: [String: String]
    private let zone: LocalZone
    private var writer = ContentLineWriter()

    init(context: CommandContext) throws {
        let types = try context.reader.fetch(EventType.self)
        typeNames = Dictionary(types.map { ($0.id, $0.entity.name) }, uniquingKeysWith: { first, _ in first })
        zone = context.process.zone
    }

    mutating func header() -> [UInt8] {
        writer.add("BEGIN", "VCALENDAR")
        writer.add("VERSION", "2.0")
        writer.add("PRODID", "-//Trendy//trendy//EN")
        writer.add("CALSCALE", "GREGORIAN")
        return writer.take()
    }

    mutating func footer() -> [UInt8] {
        writer.add("END", "VCALENDAR")
        return writer.take()
    }

    mutating func event(_ record: LocalRecord<Event>) -> [UInt8] {
        let event = record.entity
        let type = typeNames[event.eventTypeId]
        writer.add("BEGIN", "VEVENT")
        writer.add("UID", text: event.id)
        // When the record was written last, as far as that is known: the same each time.
        let stamp = record.server.updatedAt ?? UUIDv7(event.id)?.timestamp ?? event.timestamp
        writer.add("DTSTAMP", Self.utc(stamp))
        addTimes(of: event)
        writer.add("SUMMARY", text: event.originalTitle ?? type ?? "event")
        if let type { writer.add("CATEGORIES", text: type) }
        if let notes = event.notes { writer.add("DESCRIPTION", text: notes) }
        if let place = event.locationName { writer.add("LOCATION", text: place) }
        if let latitude = event.locationLatitude, let longitude = event.locationLongitude {
            // A FLOAT of RFC 5545 has no exponent (section 3.3.7).
            writer.add("GEO", "\(NumberText.plainText(latitude));\(NumberText.plainText(longitude))")
        }
        writer.add("END", "VEVENT")
        return writer.take()
    }

    /// Days are those that the person sees; the end of one is the day after the last (section 3.6.1).
    private mutating func addTimes(of event: Event) {
        guard event.isAllDay else {
            writer.add("DTSTART", Self.utc(event.timestamp))
            if let end = event.endDate.map(Self.utc), end != Self.utc(event.timestamp) { writer.add("DTEND", end) }
            return
        }
        let first = zone.firstDay(of: event)
        let last = zone.lastDay(of: event) ?? first
        writer.add("DTSTART;VALUE=DATE", Self.day(CivilTime(first)))
        writer.add("DTEND;VALUE=DATE", Self.day(CivilTime(last.advanced(by: 1))))
    }

    private static func day(_ civil: CivilTime) -> String {
        let year = String(civil.year)
        let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
        return padded + twoDigits(civil.month) + twoDigits(civil.day)
    }

    /// The moment in whole seconds: a calendar has no parts of them.
    private static func utc(_ moment: Timestamp) -> String {
        let civil = LocalZone.utc.civil(moment)
        return day(civil) + "T" + twoDigits(civil.hour) + twoDigits(civil.minute) + twoDigits(civil.second) + "Z"
    }
}
