package import TrendyDomain

/// A time in the basic format of ISO 8601, as iCalendar and timewarrior write it: `20260301`, `20260301T0800`,
/// `20260301T080000`, `20260301T080000Z`.
package struct CompactTime: Hashable {
    /// The civil time.
    package var civil: CivilTime
    /// Whether it is a day without a time of day.
    package var isDay: Bool
    /// Whether it is in UTC.
    package var isUTC: Bool

    /// Creates a time from its parts.
    package init(civil: CivilTime, isDay: Bool, isUTC: Bool) {
        self.civil = civil
        self.isDay = isDay
        self.isUTC = isUTC
    }

    /// Reads a time; nil for other texts and invalid days. A leap second counts as the second before.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard [8, 13, 14, 15, 16].contains(bytes.count), let year = Self.number(bytes[0..<4]),
            let month = Self.number(bytes[4..<6]), let day = Self.number(bytes[6..<8])
        else { return nil }
        civil = CivilTime(year: year, month: month, day: day)
        isDay = bytes.count == 8
        isUTC = bytes.count == 14 || bytes.count == 16
        let seconds = bytes.count < 15 ? nil : bytes[13..<15]
        if !isDay {
            guard bytes[8] == UInt8(ascii: "T") || bytes[8] == UInt8(ascii: "t"),
                let hour = Self.number(bytes[9..<11]), let minute = Self.number(bytes[11..<13]),
                let second = seconds.map(Self.number) ?? 0
            else { return nil }
            (civil.hour, civil.minute, civil.second) = (hour, minute, second == 60 ? 59 : second)
        }
        if isUTC, bytes.last != UInt8(ascii: "Z"), bytes.last != UInt8(ascii: "z") { return nil }
        guard civil.isValid else { return nil }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The moment of a time in UTC; nil for other times.
    package var utcMoment: Timestamp? { isUTC ? Timestamp(milliseconds: civil.localMilliseconds) : nil }
}
