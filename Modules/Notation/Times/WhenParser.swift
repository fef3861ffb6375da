package import TrendyDomain

/// Reads the times that people write: `trendy help times` lists the forms.
package struct WhenParser: Sendable {
    /// The moment that "now", "today" and "ago" are counted from.
    package let now: Timestamp
    /// The zone that times without one are meant in.
    package let zone: LocalZone
    /// With which day weeks begin.
    package let weekStart: WeekStart

    package init(now: Timestamp, zone: LocalZone, weekStart: WeekStart = .on(.monday)) {
        self.now = now
        self.zone = zone
        self.weekStart = weekStart
    }

    /// Some of the accepted forms, for error messages.
    private static let examples = "9:15, 'yesterday 22:00', '3 days ago' or '2026-11-20 14:30'"

    /// The moment that the text names.
    ///
    /// - Parameter origin: What a length behind a plus sign counts from, for what is said of one without it.
    /// - Throws: ``InputError`` that gives examples, or says in which two ways the text can be meant.
    package func parse(_ text: String, lengthsAfter origin: String = "now") throws(InputError) -> Timestamp {
        guard let reading = typedReading(text), let moment = moment(reading) else {
            if let ways = slashedDate(text) { throw ways }
            if let missing = Self.missingDay(in: text) { throw .data(missing) }
            if period(text) != nil {
                throw .data(
                    "'\(text)' is a period, which --since and --until take; write a day or a time, like mon or "
                        + "'2026-11-20 9:15'")
            }
            if let length = lengthAlone(text, after: origin) { throw .data(length) }
            throw .data("'\(text)' is no time; write it like \(Self.examples) ('trendy help times' has all forms)")
        }
        switch reading {
        case .moment: break
        case .day(let civil): try requireDay(civil, text)
        case .clock(let civil): try requireOne(civil, text)
        }
        return moment
    }

    /// The moment that the text names, nil where it names none.
    ///
    /// Where a clock shows a time twice, or never, it is the one that ``LocalZone/moment(_:)`` says.
    package func moment(_ text: String) -> Timestamp? { reading(text).flatMap(moment) }

    /// As ``moment(_:)``, and seconds since 1970 too, for data from elsewhere; milliseconds where seconds would be in
    /// another millennium.
    package func momentOrEpoch(_ text: String) -> Timestamp? {
        if let epoch = epoch(text) { return epoch }
        return moment(text)
    }

    // MARK: Readings

    /// The day of the calendar that the text names; nil where it names none, or a time of day too.
    package func day(_ text: String) -> CalendarDay? {
        switch reading(text) {
        case .day(let civil): CalendarDay(year: civil.year, month: civil.month, day: civil.day)
        case .clock(let civil):
            civil == civil.startOfDay ? CalendarDay(year: civil.year, month: civil.month, day: civil.day) : nil
        case .moment(let moment): PropertyValue.date(moment).day ?? zone.day(of: moment)
        case nil: nil
        }
    }

    /// A date as a person reads it: its day, or the time here of a moment that names none; nil for any other value.
    package func dayText(_ value: PropertyValue) -> String? {
        if let day = value.day { return day.description }
        guard let moment = value.moment else { return nil }
        // Where a program took the beginning of a day here for the day.
        return zone.civil(moment) == zone.civil(moment).startOfDay ? zone.dayText(moment) : zone.minuteText(moment)
    }

    /// What a text says of a time.
    package enum Reading {
        /// A moment, whatever clocks show.
        case moment(Timestamp)
        /// The beginning of a day.
        case day(CivilTime)
        /// What a clock on the wall shows.
        case clock(CivilTime)

        package var isDay: Bool { if case .day = self { true } else { false } }

        /// What calendar and clock show; nil for a moment, which is the same whatever they show.
        package var civil: CivilTime? {
            switch self {
            case .moment: nil
            case .day(let civil), .clock(let civil): civil
            }
        }
    }

    /// What the text says of a time; nil where it names none.
    package func reading(_ text: String) -> Reading? {
        if let exact = Timestamp(text) { return .moment(exact) }
        if let compact = CompactTime(text), !compact.isDay {
            return compact.utcMoment.map(Reading.moment) ?? .clock(compact.civil)
        }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard let last = words.last else { return nil }
        if words.count == 1 && last == "now" { return .moment(now) }
        if last == "ago", let moment = before(words.dropLast()) { return .moment(moment) }
        if let first = words[0].first, first == "-" || first == "+", words[0].count > 1 {
            let length = [words[0].dropFirst()] + words.dropFirst()
            return shifted(length[...], later: first == "+").map(Reading.moment)
        }
        return DayAndTime(now: now, zone: zone, weekStart: weekStart).read(words)
    }

    /// Whether a text names a day or a time, and is no number.
    package func isTime(_ text: String) -> Bool {
        !text.allSatisfy(\.isNumber) && (typedReading(text) != nil || period(text) != nil)
    }

    /// What a text that a person has typed says of a time: ``SpokenTime`` has the forms beside those of data.
    package func typedReading(_ text: String) -> Reading? {
        if let reading = reading(text) { return reading }
        // The year of a day that no calendar has would be a time of day.
        return Self.missingDay(in: text) == nil ? SpokenTime.written(text).flatMap(reading) : nil
    }

    private func moment(_ reading: Reading) -> Timestamp? {
        switch reading {
        case .moment(let moment): inRange(moment)
        case .day(let civil), .clock(let civil): inRange(zone.moment(civil))
        }
    }

    private func inRange(_ moment: Timestamp) -> Timestamp? {
        moment >= .earliest && moment <= .latest ? moment : nil
    }

    private func epoch(_ text: String) -> Timestamp? {
        let bytes = text.utf8
        guard let first = bytes.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
        let digits = first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...]
        guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E })
        else { return nil }
        guard let number = Double(text), abs(number) < 1e15 else { return nil }
        let milliseconds = abs(number) < 1e11 ? number * 1000 : number
        return inRange(Timestamp(milliseconds: Int64(milliseconds.rounded(.down))))
    }

    // MARK: What can be meant in two ways

    /// Refuses what a clock shows twice or never because it is put back or forward then.
    private func requireOne(_ civil: CivilTime, _ text: String) throws(InputError) {
        let moments = zone.moments(civil)
        if moments.count == 1 { return }
        guard moments.count == 2 else {
            throw .data(
                "'\(text)' never was on the clock: it was put forward then; write \(quoted(zone.minuteText(zone.moment(civil))))"
            )
        }
        let ways = moments.map { quoted(zone.minuteText($0) + zone.offsetText($0)) }
        throw .data("'\(text)' was on the clock twice: it was put back then; write \(ways[0]) or \(ways[1])")
    }

    /// Refuses a day that was left out here, as where the date line moved.
    private func requireDay(_ civil: CivilTime, _ text: String) throws(InputError) {
        // In many places clocks are put forward at midnight: such a day has its noon.
        var noon = civil
        noon.hour = 12
        guard zone.moments(noon).isEmpty else { return }
        throw .data(
            "'\(text)' never was on the calendar here: the day was left out; write \(zone.dayText(zone.moment(noon)))")
    }

    /// `11/12/2026` is in November or in December. What has points has its day first.
    private func slashedDate(_ text: String) -> InputError? {
        let date = text.split(separator: " ").first ?? ""
        let parts = date.split(whereSeparator: { $0 == "/" || $0 == "." }).map { digits($0) }
        guard parts.count == 3, let first = parts[0], let second = parts[1], let year = parts[2], year > 99 else {
            return nil
        }
        let ways = [(first, second), (second, first)].map { CivilTime(year: year, month: $0, day: $1) }
            .filter(\.isValid).map { "\(year)-\(twoDigits($0.month))-\(twoDigits($0.day))" }
        guard let way = ways.first else { return nil }
        if ways.count == 1 || ways[0] == ways[1] { return .data("the date '\(date)' is written \(way) here") }
        return .data("the date '\(date)' can be \(ways[0]) or \(ways[1]); write it like one of these")
    }
}

/// The whole number that a text of ASCII digits writes.
package func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
}
