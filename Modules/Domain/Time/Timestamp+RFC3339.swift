// RFC 3339 in both directions. Hand-written because every record that is synced passes here several
// times, and Foundation's formatters neither read zero to nine fraction digits nor come near the speed.

extension Timestamp: LosslessStringConvertible, CustomStringConvertible {
    /// The moment as RFC 3339 in UTC with milliseconds: `2026-11-20T14:30:00.000Z`.
    public var description: String {
        let clamped = min(max(self, .earliest), .latest).milliseconds
        let (days, millisecondOfDay) = clamped.flooredDivision(by: 86_400_000)
        let (year, month, day) = CivilDate.fromDays(days)
        let secondOfDay = millisecondOfDay / 1000
        return String(unsafeUninitializedCapacity: 24) { buffer in
            buffer.write(year, digits: 4, at: 0)
            buffer[4] = UInt8(ascii: "-")
            buffer.write(month, digits: 2, at: 5)
            buffer[7] = UInt8(ascii: "-")
            buffer.write(day, digits: 2, at: 8)
            buffer[10] = UInt8(ascii: "T")
            buffer.write(secondOfDay / 3600, digits: 2, at: 11)
            buffer[13] = UInt8(ascii: ":")
            buffer.write(secondOfDay / 60 % 60, digits: 2, at: 14)
            buffer[16] = UInt8(ascii: ":")
            buffer.write(secondOfDay % 60, digits: 2, at: 17)
            buffer[19] = UInt8(ascii: ".")
            buffer.write(millisecondOfDay % 1000, digits: 3, at: 20)
            buffer[23] = UInt8(ascii: "Z")
            return 24
        }
    }

    /// Reads RFC 3339: `T`, `t` or a space between date and time, zero to nine fraction digits (those
    /// beyond milliseconds are cut off), `Z` or an offset. A leap second counts as the second before.
    ///
    /// Returns nil for anything else, for a date that is not in the calendar, and outside years 0 to 9999.
    public init?(_ text: String) {
        var text = text
        guard let parsed = text.withUTF8({ Timestamp(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = parsed
    }

    /// The same for the bytes of a text.
    init?(utf8: UnsafeRawBufferPointer) {
        guard let parsed = RFC3339Reader(bytes: utf8).read() else { return nil }
        self = parsed
    }
}

extension Timestamp: Codable {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let parsed = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text.prefix(64))' is not an RFC 3339 date-time")
        }
        self = parsed
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Days since 1970-01-01 to and from the proleptic Gregorian calendar.
///
/// The era arithmetic is the well-known `civil_from_days` method: years start in March, so that the
/// leap day comes last, and 400 years are always 146,097 days.
package enum CivilDate {
    package static func fromDays(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    package static func toDays(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    package static func daysInMonth(_ month: Int64, year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }
}

private struct RFC3339Reader {
    let bytes: UnsafeRawBufferPointer

    func read() -> Timestamp? {
        guard bytes.count >= 20,
            let year = number(at: 0, digits: 4), bytes[4] == UInt8(ascii: "-"),
            let month = number(at: 5, digits: 2), bytes[7] == UInt8(ascii: "-"),
            let day = number(at: 8, digits: 2), isSeparator(bytes[10]),
            let hour = number(at: 11, digits: 2), bytes[13] == UInt8(ascii: ":"),
            let minute = number(at: 14, digits: 2), bytes[16] == UInt8(ascii: ":"),
            let second = number(at: 17, digits: 2),
            (1...12).contains(month), day >= 1, day <= CivilDate.daysInMonth(month, year: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var index = 19
        guard let millisecond = fraction(at: &index), let offset = offsetMinutes(at: index) else { return nil }
        let days = CivilDate.toDays(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + (minute - offset) * 60 + min(second, 59)
        let result = Timestamp(milliseconds: seconds * 1000 + millisecond)
        return result >= .earliest && result <= .latest ? result : nil
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte == UInt8(ascii: " ")
    }

    private func number(at start: Int, digits: Int) -> Int64? {
        guard start + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for index in start..<start + digits {
            guard let digit = digit(at: index) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private func digit(at index: Int) -> Int64? {
        guard index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
        return Int64(bytes[index] - UInt8(ascii: "0"))
    }

    private func fraction(at index: inout Int) -> Int64? {
        guard bytes[index] == UInt8(ascii: ".") else { return 0 }
        index += 1
        var milliseconds: Int64 = 0
        var digits = 0
        while let digit = digit(at: index) {
            if digits < 3 { milliseconds = milliseconds * 10 + digit }
            digits += 1
            index += 1
        }
        guard (1...9).contains(digits) else { return nil }
        for _ in min(digits, 3)..<3 { milliseconds *= 10 }
        return milliseconds
    }

    private func offsetMinutes(at index: Int) -> Int64? {
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            return index + 1 == bytes.count ? 0 : nil
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard bytes.count == index + 6, bytes[index + 3] == UInt8(ascii: ":"),
                let hours = number(at: index + 1, digits: 2), let minutes = number(at: index + 4, digits: 2),
                hours < 24, minutes < 60
            else { return nil }
            let total = hours * 60 + minutes
            return bytes[index] == UInt8(ascii: "-") ? -total : total
        default:
            return nil
        }
    }
}

extension Int64 {
    /// Quotient and remainder of a division that rounds towards negative infinity.
    fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = self % divisor
        return remainder < 0 ? (self / divisor - 1, remainder + divisor) : (self / divisor, remainder)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    fileprivate func write(_ value: Int64, digits: Int, at start: Int) {
        var rest = value
        for index in stride(from: start + digits - 1, through: start, by: -1) {
            self[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
