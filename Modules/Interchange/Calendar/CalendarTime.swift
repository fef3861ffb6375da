import TrendyDomain
package import TrendyNotation

/// A time of a calendar: a clock time in a zone.
struct CalendarTime {
    let civil: CivilTime
    let isDay: Bool
    /// Whether it has no zone, so that it is in the zone of the person.
    let isFloating: Bool
    private let zone: LocalZone

    /// Reads the value of a property.
    ///
    /// A time in an unknown zone counts as one without a zone.
    ///
    /// - Throws: ``RowError`` if the value is not a time.
    @MainActor
    init(_ value: String, of line: ContentLine, zones: inout CalendarZones) throws(RowError) {
        guard let time = CompactTime(value) else { throw RowError("'\(value)' in \(line.name) is not a time") }
        civil = time.civil
        isDay = time.isDay
        if time.isUTC {
            zone = .utc
            isFloating = false
        } else if let name = line.parameters["TZID"], !time.isDay, let named = zones.zone(name) {
            zone = named
            isFloating = false
        } else {
            zone = zones.local
            isFloating = true
        }
    }

    private init(civil: CivilTime, isDay: Bool, isFloating: Bool, zone: LocalZone) {
        self.civil = civil
        self.isDay = isDay
        self.isFloating = isFloating
        self.zone = zone
    }

    /// The moment; for a day its start in the zone of the person.
    var moment: Timestamp { zone.moment(civil) }

    /// Another time in the same zone.
    func showing(_ civil: CivilTime) -> CalendarTime {
        CalendarTime(civil: civil, isDay: isDay, isFloating: isFloating, zone: zone)
    }

    /// The clock time at a moment.
    func civil(at moment: Timestamp) -> CivilTime { zone.civil(moment) }

    /// The key of an occurrence of a series, independent of the spelling of the zone.
    var key: String { isDay ? zone.dayText(moment) : moment.description }

    /// The id of an occurrence, which does not depend on the zone of the import.
    var name: String {
        if isDay || !isFloating { return key }
        let clock = [civil.hour, civil.minute, civil.second].map(twoDigits).joined(separator: ":")
        return "\(civil.dayText)T\(clock)"
    }

    /// Counts the time if its clock skips or repeats it.
    func note(in changes: inout ClockChanges) { if !isDay { changes.note(civil, in: zone) } }

    /// The moment for the id of an event, which does not depend on the zone of the import.
    var momentOfId: Timestamp { isFloating ? Timestamp(milliseconds: civil.localMilliseconds) : moment }
}

/// A duration of iCalendar: `PT1H30M`, `P1D`, `-P2W` (RFC 5545, section 3.3.6).
struct CalendarDuration {
    /// Calendar days.
    private(set) var days = 0
    /// Additional seconds.
    private(set) var seconds = 0

    /// Reads a duration; nil for other texts.
    init?(_ text: String) {
        var rest = text.uppercased()[...]
        let isNegative = rest.first == "-"
        if isNegative || rest.first == "+" { rest = rest.dropFirst() }
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var isTime = false
        while let first = rest.first {
            if first == "T" {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            guard number.count <= 9, let count = Int(number), let unit = rest.popFirst() else { return nil }
            switch (unit, isTime) {
            case ("W", false): days += count * 7
            case ("D", false): days += count
            case ("H", true): seconds += count * 3600
            case ("M", true): seconds += count * 60
            case ("S", true): seconds += count
            default: return nil
            }
        }
        if isNegative { (days, seconds) = (-days, -seconds) }
    }
}

extension CivilTime {
    /// The same time of day on another day, as ``dayNumber`` counts them.
    package func on(dayNumber: Int) -> CivilTime { advanced(byDays: dayNumber - self.dayNumber) }

    /// The number of days of a month.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        Int(CivilDate.daysInMonth(Int64(month), year: Int64(year)))
    }
}
