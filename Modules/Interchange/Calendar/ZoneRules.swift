import Foundation
import TrendyDomain
import TrendyNotation

/// A time zone that a calendar defines by a `VTIMEZONE` (RFC 5545, section 3.6.5).
struct ZoneRules {
    /// A change of the clock.
    private struct Change {
        /// Milliseconds since 1970 in universal time.
        let moment: Int64
        let before: Int64
        let after: Int64
    }

    /// The last year with computed changes; later times have the offset of its end.
    private static let lastYear = 2100
    private let changes: [Change]

    /// - Parameter observances: The lines of each `STANDARD` and `DAYLIGHT`.
    /// - Throws: ``RowError`` if offsets or a start are missing.
    init(_ observances: [[ContentLine]]) throws(RowError) {
        var changes: [Change] = []
        for observance in observances { changes += try Self.changes(of: observance) }
        guard !changes.isEmpty else { throw RowError("the description of the time zone has no offsets") }
        self.changes = changes.sorted { $0.moment < $1.moment }
    }

    private static func changes(of lines: [ContentLine]) throws(RowError) -> [Change] {
        let value = { (name: String) in lines.first { $0.name == name }?.value ?? "" }
        guard let before = offset(value("TZOFFSETFROM")), let after = offset(value("TZOFFSETTO")),
            let start = CompactTime(value("DTSTART"))
        else { throw RowError("the description of the time zone lacks DTSTART, TZOFFSETFROM or TZOFFSETTO") }
        var onsets = [start.civil]
        for line in lines where line.name == "RDATE" {
            onsets += line.value.split(separator: ",").compactMap { CompactTime(String($0))?.civil }
        }
        for line in lines where line.name == "RRULE" {
            let rule = try RecurrenceRule(line.value)
            let end = CivilTime(year: lastYear, month: 12, day: 31)
            var times = Recurrence(rule, from: start.civil, end: end)
            while let time = try times.next() {
                // UNTIL is in UTC, and the onset is in the local time before the change.
                if let until = rule.until?.civil,
                    time.localMilliseconds - before > until.localMilliseconds
                {
                    break
                }
                onsets.append(time)
            }
        }
        return onsets.map { Change(moment: $0.localMilliseconds - before, before: before, after: after) }
    }

    /// `+0100`, `-053000` in milliseconds.
    private static func offset(_ text: String) -> Int64? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let plain = text.dropFirst()
        guard plain.count == 4 || plain.count == 6, let number = digits(plain) else { return nil }
        let full = plain.count == 4 ? number * 100 : number
        let seconds = full / 10_000 * 3600 + full / 100 % 100 * 60 + full % 100
        return Int64(sign == "-" ? -seconds : seconds) * 1000
    }

    /// The rules as a local zone.
    var zone: LocalZone { LocalZone(offset: offset(at:)) }

    @Sendable
    private func offset(at moment: Timestamp) -> Int64 {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].moment <= moment.milliseconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? changes[0].before : changes[low - 1].after
    }
}

/// The time zones of a calendar.
@MainActor
struct CalendarZones {
    /// The zone of the person.
    let local: LocalZone
    /// The zones that the calendar defines, by their names.
    var described: [String: [[ContentLine]]] = [:]
    /// The names of unknown zones since the last call of ``takeUnknown()``.
    private var unknown: Set<String> = []
    private var known: [String: LocalZone?] = [:]

    init(local: LocalZone) {
        self.local = local
    }

    /// The zone of that name, from the system or from the calendar.
    ///
    /// Nil if there is none: the time is then in the zone of the person, and ``takeUnknown()`` returns the name.
    mutating func zone(_ name: String) -> LocalZone? {
        let zone = known[name] ?? find(name)
        known[name] = .some(zone)
        if zone == nil { unknown.insert(name) }
        return zone
    }

    /// The names of unknown zones since the last call.
    mutating func takeUnknown() -> Set<String> {
        defer { unknown = [] }
        return unknown
    }

    private func find(_ name: String) -> LocalZone? {
        // Some programs add a prefix: /citadel.org/20210210_1/Europe/Berlin.
        let parts = name.split(separator: "/")
        let candidates = [name] + [3, 2].filter { parts.count > $0 }.map { parts.suffix($0).joined(separator: "/") }
        for candidate in candidates {
            // A short name like EST is ambiguous, so the definition in the calendar has priority.
            guard candidate.contains("/") || described[name] == nil else { continue }
            if let zone = TimeZone(identifier: candidate) { return LocalZone(zone) }
        }
        return described[name].flatMap { lines in (try? ZoneRules(lines))?.zone }
    }
}
