package import TrendyDomain
package import TrendyNotation

/// Reads the times of a CSV file: as people write them, as dates of numbers, and as programs count them since 1970.
package struct ColumnTimes: Sendable {
    package let times: WhenParser
    /// Whether the day or the month comes first in dates of numbers; nil where that is not known.
    package var order: DateOrder?
    /// Whether every number is a time since 1970, because the person says that the column holds times; else only one
    /// that lies in the last decades: small numbers are quantities.
    package var takesEveryNumber = false

    package init(times: WhenParser, order: DateOrder? = nil, takesEveryNumber: Bool = false) {
        self.times = times
        self.order = order
        self.takesEveryNumber = takesEveryNumber
    }

    /// The moment that a field names, nil where it names none.
    package func moment(_ field: String) -> Timestamp? {
        if let exact = Timestamp(field) { return exact }
        let text = Names.trimmed(field)
        if Self.isNumber(text) { return Self.spreadsheetDay(text) == nil ? numbered(text) : nil }
        guard let date = numericDate(text) else { return compact(text) ?? times.moment(withDashes(text)) }
        guard let order = readingOrder(of: date) else { return nil }
        return date.day(order).flatMap { times.moment($0.dayText + date.rest) }
    }

    /// Whether a field names a day, and no time of it.
    func isDay(_ field: String) -> Bool {
        if case .day = reading(field) { moment(field) != nil } else { false }
    }

    /// Whether a field may name a day, in whatever order its date is, and no time of it.
    func canBeDay(_ field: String) -> Bool {
        if isDay(field) { return true }
        return DateOrder.allCases.contains { order in
            var times = self
            times.order = order
            return times.isDay(field)
        }
    }

    /// What a field says that the clock here shows, where the clock is changed on that day or beside it; nil for any other.
    ///
    /// - Parameter moment: The moment that it names.
    func changingClock(_ field: String, _ moment: Timestamp) -> CivilTime? {
        // All other fields need no second look.
        let day: Int64 = 86_400_000
        let before = times.zone.utcOffset(at: moment.advanced(byMilliseconds: -day))
        guard before != times.zone.utcOffset(at: moment.advanced(byMilliseconds: day)),
            case .clock(let civil) = reading(field)
        else { return nil }
        return civil
    }

    /// Whether a field says what calendar and clock show here; not where it has an offset from UTC or counts since 1970.
    ///
    /// - Parameter moment: The moment that it names.
    func isOfHere(_ field: String, _ moment: Timestamp) -> Bool {
        reading(field)?.civil.map { times.zone.moment($0) == moment } ?? false
    }

    /// What a field says of a time, where it names a moment.
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

    /// The order in which a date is read; nil where that is not known.
    private func readingOrder(of date: NumericDate) -> DateOrder? {
        order ?? date.proof ?? (date.isOpen ? nil : .dayFirst)
    }

    /// Whether a field may name a moment, in whatever order its date is; days that are counted from today are none.
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

    /// Whether a field is a number, and no time since 1970 that somebody may have logged.
    func isOtherNumber(_ field: String) -> Bool {
        Self.isNumber(field) && numbered(field) == nil
    }

    /// What is wrong with a field that names no moment.
    package func problem(_ field: String) -> RowProblem {
        let text = Names.trimmed(field)
        if text.isEmpty { return RowProblem("the time is empty") }
        if let day = Self.spreadsheetDay(text) {
            return RowProblem(
                "'\(text)' is the number of a day as spreadsheets count them (\(day)); "
                    + "let the column be shown as dates there, and save the file again")
        }
        guard let date = numericDate(text) else {
            return RowProblem(WhenParser.missingDay(in: text) ?? "'\(text)' is no time")
        }
        if let order {
            guard date.day(order) == nil else { return RowProblem("'\(text)' is no time") }
            return RowProblem("'\(text)' is no day of the calendar, read \(order.text)")
        }
        guard date.isOpen else { return RowProblem("'\(text)' is no time") }
        return RowProblem("'\(text)' can be read day first and month first; add --dates dmy or --dates mdy")
    }

    /// The date of numbers that a field begins with.
    func numericDate(_ field: String) -> NumericDate? {
        NumericDate(field, thisYear: times.zone.civil(times.now).year)
    }

    // MARK: Numbers

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
            && digits.count { $0 == UInt8(ascii: ".") } < 2
    }

    /// The day that a number stands for in a spreadsheet, which counts from 1900: one of the years 1954 to 2119. As
    /// seconds since 1970 all of them would lie in one night and day.
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
        // Digits alone may count something; as seconds or milliseconds they would be of another age.
        let isMeant = takesEveryNumber && (1900...2200).contains(time.civil.year)
        return !Self.isNumber(text) || isMeant || isLikely(moment) ? moment : nil
    }

    /// A day and a time of day in digits alone, with seconds or without.
    private static func digits(_ text: String) -> CompactTime? {
        guard [12, 14].contains(text.utf8.count), !text.contains(".") else { return nil }
        return CompactTime("\(text.prefix(8))T\(text.dropFirst(8))\(text.utf8.count == 12 ? "00" : "")")
    }

    /// The text as other times are written where it begins with a day in eight digits: `20251224 18:30`.
    private func withDashes(_ text: String) -> String {
        guard let space = text.firstIndex(of: " "), let day = CompactTime(String(text[..<space])), day.isDay
        else { return text }
        return day.civil.dayText + text[space...]
    }

    /// Whether people may have logged something then: between 1990 and ten years from now.
    private func isLikely(_ moment: Timestamp) -> Bool {
        moment.milliseconds >= 631_152_000_000 && moment <= times.now.advanced(bySeconds: 3653 * 86_400)
    }
}
