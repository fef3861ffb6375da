package import TrendyDomain
package import TrendyNotation

/// Reads the times of a CSV file: times as in `trendy help times`, numeric dates, and seconds since 1970.
package struct ColumnTimes: Sendable {
    package let times: WhenParser
    /// The order of day and month in numeric dates; nil if it is unknown.
    package var order: DateOrder?
    /// Whether every number is a time since 1970, because the person named the column as times. Otherwise only a number in
    /// the range of the last decades is a time.
    package var takesEveryNumber = false

    package init(times: WhenParser, order: DateOrder? = nil, takesEveryNumber: Bool = false) {
        self.times = times
        self.order = order
        self.takesEveryNumber = takesEveryNumber
    }

    /// The moment of a field; nil for none.
    package func moment(_ field: String) -> Timestamp? {
        if let exact = Timestamp(field) { return exact }
        let text = Names.trimmed(field)
        if Self.isNumber(text) { return Self.spreadsheetDay(text) == nil ? numbered(text) : nil }
        guard let date = numericDate(text) else { return compact(text) ?? times.moment(withDashes(text)) }
        guard let order = readingOrder(of: date) else { return nil }
        return date.day(order).flatMap { times.moment($0.dayText + date.rest) }
    }

    /// Whether a field is a day without a time of day.
    func isDay(_ field: String) -> Bool {
        if case .day = reading(field) { moment(field) != nil } else { false }
    }

    /// Whether a field can be a day without a time of day, in any order of dates.
    func canBeDay(_ field: String) -> Bool {
        if isDay(field) { return true }
        return DateOrder.allCases.contains { order in
            var times = self
            times.order = order
            return times.isDay(field)
        }
    }

    /// The local clock time of a field close to a change of the clock; nil for other fields.
    ///
    /// - Parameter moment: The moment of the field.
    func changingClock(_ field: String, _ moment: Timestamp) -> CivilTime? {
        // All other fields are unambiguous.
        let day: Int64 = 86_400_000
        let before = times.zone.utcOffset(at: moment.advanced(byMilliseconds: -day))
        guard before != times.zone.utcOffset(at: moment.advanced(byMilliseconds: day)),
            case .clock(let civil) = reading(field)
        else { return nil }
        return civil
    }

    /// Whether a field is in local time, without an offset from UTC, and not in seconds since 1970.
    ///
    /// - Parameter moment: The moment of the field.
    func isOfHere(_ field: String, _ moment: Timestamp) -> Bool {
        reading(field)?.civil.map { times.zone.moment($0) == moment } ?? false
    }

    /// The reading of a field; nil if it is not a moment.
    private func reading(_ field: String) -> WhenParser.Reading? {
        if let exact = Timestamp(field) { return .moment(exact) }
        let text = Names.trimmed(field)
        if let time = CompactTime(text) ?? Self.digits(text) {
            if let moment = time.utcMoment { return .moment(moment) }
            return time.isDay ? .day(time.civil) : .clock(time.civil)
        }
        guard let date = numericDate(text) else { return times.reading(withDashes(text)) }
        guard let order = readingOrder(of: date) else { return nil }
        return date.day(order).flatMap { times.reading($0.dayText + date.rest) }
    }

    /// The order in which a date is read; nil if it is unknown.
    private func readingOrder(of date: NumericDate) -> DateOrder? {
        order ?? date.proof ?? (date.isOpen ? nil : .dayFirst)
    }

    /// Whether a field can be a moment, in any order of dates; days relative to today are excluded.
    func canBeMoment(_ field: String) -> Bool {
        guard field.contains(where: \.isNumber), let first = field.first, first != "-", first != "+",
            !field.lowercased().hasSuffix(" ago")
        else { return false }
        if moment(field) != nil { return true }
        return DateOrder.allCases.contains { order in
            var times = self
            times.order = order
            return times.moment(field) != nil
        }
    }

    /// Whether a field is a number that is not a plausible time since 1970.
    func isOtherNumber(_ field: String) -> Bool {
        Self.isNumber(field) && numbered(field) == nil
    }

    /// The error of a field that is not a moment.
    package func problem(_ field: String) -> RowError {
        let text = Names.trimmed(field)
        if text.isEmpty { return RowError("the time is empty") }
        if let day = Self.spreadsheetDay(text) {
            return RowError(
                "'\(text)' is a day number of a spreadsheet (\(day)); "
                    + "format the column as dates there, and save the file again")
        }
        guard let date = numericDate(text) else {
            return RowError(WhenParser.missingDay(in: text) ?? "'\(text)' is not a time")
        }
        if let order {
            guard date.day(order) == nil else { return RowError("'\(text)' is not a time") }
            return RowError("'\(text)' is not a day of the calendar, read \(order.text)")
        }
        guard date.isOpen else { return RowError("'\(text)' is not a time") }
        return RowError("'\(text)' is ambiguous; add --dates dmy (day first) or --dates mdy (month first)")
    }

    /// The numeric date at the beginning of a field.
    func numericDate(_ field: String) -> NumericDate? {
        NumericDate(field, thisYear: times.zone.civil(times.now).year)
    }

    // MARK: Numbers

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
            && digits.count { $0 == UInt8(ascii: ".") } < 2
    }

    /// The day of a spreadsheet's day number, which counts from 1900; for the years 1954 to 2119. As seconds since 1970,
    /// such numbers would all be on the same day.
    private static func spreadsheetDay(_ text: String) -> CalendarDay? {
        guard isNumber(text), let number = Double(text), (20_000..<80_000).contains(number) else { return nil }
        return CalendarDay(daysSince1970: Int(number) - 25_569)
    }

    private func numbered(_ text: String) -> Timestamp? {
        if let day = compact(text) { return day }
        guard let moment = times.momentOrEpoch(text) else { return nil }
        return takesEveryNumber || isLikely(moment) ? moment : nil
    }

    /// A time without separators: `20251224`, `202512241830`, `20251224T183000Z`.
    private func compact(_ text: String) -> Timestamp? {
        guard let time = CompactTime(text) ?? Self.digits(text) else { return nil }
        let moment = time.utcMoment ?? times.zone.moment(time.civil)
        // A column of digits may hold counts. They are times only if the moments that they would be are plausible.
        let isMeant = takesEveryNumber && (1900...2200).contains(time.civil.year)
        return !Self.isNumber(text) || isMeant || isLikely(moment) ? moment : nil
    }

    /// A day and a time of day in digits, with or without seconds.
    private static func digits(_ text: String) -> CompactTime? {
        guard [12, 14].contains(text.utf8.count), !text.contains(".") else { return nil }
        return CompactTime("\(text.prefix(8))T\(text.dropFirst(8))\(text.utf8.count == 12 ? "00" : "")")
    }

    /// The text with dashes in its day, if it begins with eight digits: `20251224 18:30`.
    private func withDashes(_ text: String) -> String {
        guard let space = text.firstIndex(of: " "), let day = CompactTime(String(text[..<space])), day.isDay
        else { return text }
        return day.civil.dayText + text[space...]
    }

    /// Whether a moment is plausible: between 1990 and ten years from now.
    private func isLikely(_ moment: Timestamp) -> Bool {
        moment.milliseconds >= 631_152_000_000 && moment <= times.now.advanced(bySeconds: 3653 * 86_400)
    }
}
