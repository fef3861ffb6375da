import TrendyDomain
package import TrendyNotation

/// A time of a calendar: what a clock shows, and which clock.
struct CalendarTime {
    let civil: CivilTime
    let isDay: Bool
    /// Whether it names no zone: the clock shows it wherever the person is.
    let isFloating: Bool
    private let zone: LocalZone

    /// Reads the value of a property.
    ///
    /// A time in a zone that nobody knows names no zone.
    ///
    /// - Throws: ``RowProblem`` where it is no time.
    @MainActor
    init(_ value: String, of line: ContentLine, zones: inout CalendarZones) throws(RowProblem) {
        guard let time = CompactTime(value) else { throw RowProblem("'\(value)' in \(line.name) is no time") }
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

    /// The moment; of a day the one at which it begins for the person.
    var moment: Timestamp { zone.moment(civil) }

    /// The same clock showing another time.
    func showing(_ civil: CivilTime) -> CalendarTime {
        CalendarTime(civil: civil, isDay: isDay, isFloating: isFloating, zone: zone)
    }

    /// What this clock shows at a moment.
    func civil(at moment: Timestamp) -> CivilTime { zone.civil(moment) }

    /// Which occurrence of a series is at this time, however its zone is written.
    var key: String { isDay ? zone.dayText(moment) : moment.description }

    /// The name of an occurrence that was to be at this time, which is the same wherever the file is read.
    var name: String {
        if isDay || !isFloating { return key }
        let clock = [civil.hour, civil.minute, civil.second].map(twoDigits).joined(separator: ":")
        return "\(civil.dayText)T\(clock)"
    }

    /// Counts it, where its clock never shows it or twice.
    func note(in changes: inout ClockChanges) { if !isDay { changes.note(civil, in: zone) } }

    /// The moment by which an event gets its id, the same wherever the file is read.
    var momentOfId: Timestamp { isFloating ? Timestamp(milliseconds: civil.localMilliseconds) : moment }
}

/// A length of time of iCalendar: `PT1H30M`, `P1D`, `-P2W` (RFC 5545, section 3.3.6).
struct CalendarDuration {
    /// Days, as the calendar counts them.
    private(set) var days = 0
    /// What comes to that, in seconds.
    private(set) var seconds = 0

    /// Reads one; nil for anything else.
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

    /// How many days a month has.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        Int(CivilDate.daysInMonth(Int64(month), year: Int64(year)))
    }
}
