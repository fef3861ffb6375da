package import TrendyDomain
package import TrendyNotation

/// Events as a calendar.
@MainActor
package struct EventCalendar {
    private let typeNames: [String: String]
    private let zone: LocalZone
    private var writer = ContentLineWriter()

    /// - Parameters:
    ///   - typeNames: The names of the types by their ids.
    ///   - zone: The zone of all-day events.
    package init(typeNames: [String: String], zone: LocalZone) {
        self.typeNames = typeNames
        self.zone = zone
    }

    package mutating func header() -> [UInt8] {
        writer.add("BEGIN", "VCALENDAR")
        writer.add("VERSION", "2.0")
        writer.add("PRODID", "-//Trendy//trendy//EN")
        writer.add("CALSCALE", "GREGORIAN")
        return writer.take()
    }

    package mutating func footer() -> [UInt8] {
        writer.add("END", "VCALENDAR")
        return writer.take()
    }

    package mutating func event(_ record: LocalRecord<Event>) -> [UInt8] {
        let event = record.entity
        let type = typeNames[event.eventTypeId]
        writer.add("BEGIN", "VEVENT")
        writer.add("UID", text: event.id)
        // The last change of the record, if it is known, so that repeated exports are equal.
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

    /// Days in the zone of the person; the end is the day after the last one (section 3.6.1).
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

    /// The moment in whole seconds, as calendars have no fractions.
    private static func utc(_ moment: Timestamp) -> String {
        let civil = LocalZone.utc.civil(moment)
        return day(civil) + "T" + twoDigits(civil.hour) + twoDigits(civil.minute) + twoDigits(civil.second) + "Z"
    }
}

/// Writes lines of iCalendar (RFC 5545, section 3.1), which end with CRLF and have at most 75 bytes.
struct ContentLineWriter {
    /// The maximum length of a line in bytes, without its end.
    static let limit = 75

    private(set) var bytes: [UInt8] = []

    /// Adds a property whose value needs no escapes.
    mutating func add(_ name: String, _ value: String) {
        fold(Array((name + ":" + value).utf8))
    }

    /// Adds a property whose value is text.
    mutating func add(_ name: String, text: String) {
        add(name, Self.escaped(text))
    }

    /// Empties the writer, and returns its text.
    mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Folds a line between characters.
    private mutating func fold(_ line: [UInt8]) {
        var start = 0
        var room = Self.limit
        while line.count - start > room {
            var end = start + room
            while end > start + 1, line[end] & 0xC0 == 0x80 { end -= 1 }
            bytes += line[start..<end]
            bytes += [0x0D, 0x0A, 0x20]
            start = end
            // The blank of the continuation line counts.
            room = Self.limit - 1
        }
        bytes += line[start...]
        bytes += [0x0D, 0x0A]
    }

    /// The text with escapes (section 3.3.11), without forbidden control characters.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\", ";", ",":
                result.append("\\")
                result.append(scalar)
            case "\r":
                if scalars.first != "\n" { result.append(contentsOf: "\\n".unicodeScalars) }
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            case "\t": result.append(scalar)
            default: if scalar.value >= 0x20 && scalar.value != 0x7F { result.append(scalar) }
            }
        }
        return String(result)
    }
}
