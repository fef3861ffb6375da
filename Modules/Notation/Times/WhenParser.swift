package import TrendyDomain

/// Reads times; `trendy help times` lists the forms.
package struct WhenParser: Sendable {
    /// The present time, for "now", "today" and "ago".
    package let now: Timestamp
    /// The zone of times without a zone.
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

    /// The moment of a text.
    ///
    /// - Parameter origin: The base of `+45m`, for the error of a duration without a sign.
    /// - Throws: ``InputError`` with examples, or with the meanings of an ambiguous text.
    package func parse(_ text: String, lengthsAfter origin: String = "now") throws(InputError) -> Timestamp {
        guard let reading = typedReading(text), let moment = moment(reading) else {
            if let ways = slashedDate(text) { throw ways }
            if let missing = Self.missingDay(in: text) { throw .data(missing) }
            if period(text) != nil {
                throw .data(
                    "'\(text)' is a period, which only --since and --until accept; write a day or a time, like mon or "
                        + "'2026-11-20 9:15'")
            }
            if let length = lengthAlone(text, after: origin) { throw .data(length) }
            throw .data("'\(text)' is not a time; write it like \(Self.examples) ('trendy help times' has all forms)")
        }
        switch reading {
        case .moment: break
        case .day(let civil): try requireDay(civil, text)
        case .clock(let civil): try requireOne(civil, text)
        }
        return moment
    }

    /// The moment of a text; nil for other texts.
    ///
    /// Skipped and repeated times are resolved by ``LocalZone/moment(_:)``.
    package func moment(_ text: String) -> Timestamp? { reading(text).flatMap(moment) }

    /// As ``moment(_:)``, and also seconds or milliseconds since 1970, for data of other programs.
    package func momentOrEpoch(_ text: String) -> Timestamp? {
        if let epoch = epoch(text) { return epoch }
        return moment(text)
    }

    // MARK: Readings

    /// The day of a text without a time of day; nil for other texts.
    package func day(_ text: String) -> CalendarDay? {
        switch reading(text) {
        case .day(let civil): CalendarDay(year: civil.year, month: civil.month, day: civil.day)
        case .clock(let civil):
            civil == civil.startOfDay ? CalendarDay(year: civil.year, month: civil.month, day: civil.day) : nil
        case .moment(let moment): PropertyValue.date(moment).day ?? zone.day(of: moment)
        case nil: nil
        }
    }

    /// The text of a date value: its day, or the local time of another moment; nil for other values.
    package func dayText(_ value: PropertyValue) -> String? {
        if let day = value.day { return day.description }
        guard let moment = value.moment else { return nil }
        // A program can have stored the local start of a day.
        return zone.civil(moment) == zone.civil(moment).startOfDay ? zone.dayText(moment) : zone.minuteText(moment)
    }

    /// The meaning of a text.
    package enum Reading {
        /// A moment, independent of time zones.
        case moment(Timestamp)
        /// The start of a day.
        case day(CivilTime)
        /// A civil time.
        case clock(CivilTime)

        package var isDay: Bool { if case .day = self { true } else { false } }

        /// The civil time; nil for a moment.
        package var civil: CivilTime? {
            switch self {
            case .moment: nil
            case .day(let civil), .clock(let civil): civil
            }
        }
    }

    /// The reading of a text; nil if it is not a time.
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

    /// Whether a text is a day or a time, and not a number.
    package func isTime(_ text: String) -> Bool {
        !text.allSatisfy(\.isNumber) && (typedReading(text) != nil || period(text) != nil)
    }

    /// The reading of a typed text, which also has the forms of ``SpokenTime``.
    package func typedReading(_ text: String) -> Reading? {
        if let reading = reading(text) { return reading }
        // The year of an invalid day must not be read as a time of day.
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

    // MARK: Ambiguous times

    /// Refuses times that a change of the clock skips or repeats.
    private func requireOne(_ civil: CivilTime, _ text: String) throws(InputError) {
        let moments = zone.moments(civil)
        if moments.count == 1 { return }
        guard moments.count == 2 else {
            throw .data(
                "'\(text)' does not exist, because the clock was put forward; write \(quoted(zone.minuteText(zone.moment(civil))))"
            )
        }
        let ways = moments.map { quoted(zone.minuteText($0) + zone.offsetText($0)) }
        throw .data("'\(text)' is ambiguous, because the clock was put back; write \(ways[0]) or \(ways[1])")
    }

    /// Refuses a day that was skipped, as in a place that crossed the date line.
    private func requireDay(_ civil: CivilTime, _ text: String) throws(InputError) {
        // In many places clocks are put forward at midnight, so noon is checked.
        var noon = civil
        noon.hour = 12
        guard zone.moments(noon).isEmpty else { return }
        throw .data(
            "'\(text)' does not exist in this time zone, because the day was skipped; write \(zone.dayText(zone.moment(noon)))"
        )
    }

    /// The error for `11/12/2026`, which is in November or December.
    private func slashedDate(_ text: String) -> InputError? {
        let date = text.split(separator: " ").first ?? ""
        let parts = date.split(whereSeparator: { $0 == "/" || $0 == "." }).map { digits($0) }
        guard parts.count == 3, let first = parts[0], let second = parts[1], let year = parts[2], year > 99 else {
            return nil
        }
        let ways = [(first, second), (second, first)].map { CivilTime(year: year, month: $0, day: $1) }
            .filter(\.isValid).map { "\(year)-\(twoDigits($0.month))-\(twoDigits($0.day))" }
        guard let way = ways.first else { return nil }
        if ways.count == 1 || ways[0] == ways[1] { return .data("write the date '\(date)' as \(way)") }
        return .data("the date '\(date)' is ambiguous; write \(ways[0]) or \(ways[1])")
    }
}

/// The number of a text of ASCII digits.
package func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
}
