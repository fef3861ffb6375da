public import Foundation
public import TrendyDomain

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time zone of a person.
///
/// The machine's zone comes from the C library, because Foundation's `TimeZone` loads calendar data, which takes longer
/// than everything else in `trendy log`.
public struct LocalZone: UTCOffsetSource {
    private let offset: @Sendable (Timestamp) -> Int64

    /// The rules of a Foundation time zone.
    public init(_ zone: TimeZone) {
        offset = { Int64(zone.secondsFromGMT(for: $0.date)) * 1000 }
    }

    /// A zone with a function for its offset from UTC in milliseconds.
    package init(offset: @escaping @Sendable (Timestamp) -> Int64) {
        self.offset = offset
    }

    /// The zone of `TZ`, or of the machine.
    public static let system: LocalZone = {
        tzset()
        return LocalZone { moment in
            var seconds = time_t(moment.milliseconds / 1000 - (moment.milliseconds % 1000 < 0 ? 1 : 0))
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil else { return 0 }
            return Int64(parts.tm_gmtoff) * 1000
        }
    }()

    /// Coordinated universal time.
    public static let utc = LocalZone { _ in 0 }

    /// The offset from UTC in milliseconds at a moment.
    public func utcOffset(at moment: Timestamp) -> Int64 { offset(moment) }

    /// The civil time at a moment.
    public func civil(_ moment: Timestamp) -> CivilTime {
        CivilTime(localMilliseconds: moment.milliseconds + offset(moment))
    }

    /// The moment of a civil time.
    ///
    /// A repeated time is its first occurrence. A skipped time is shifted to after the change by the skipped amount
    /// (RFC 5545, section 3.3.5).
    public func moment(_ civil: CivilTime) -> Timestamp {
        let (shown, early) = readings(civil)
        return shown.first ?? early
    }

    /// The moments of a civil time: one, or none or two at a change of the clock.
    package func moments(_ civil: CivilTime) -> [Timestamp] { readings(civil).shown }

    /// - Returns: The moments in order, and the moment by the offset of the day before.
    private func readings(_ civil: CivilTime) -> (shown: [Timestamp], early: Timestamp) {
        let local = civil.localMilliseconds
        let day: Int64 = 86_400_000
        let before = offset(Timestamp(milliseconds: local - day))
        let after = offset(Timestamp(milliseconds: local + day))
        let early = Timestamp(milliseconds: local - before)
        if before == after && offset(early) == before { return ([early], early) }
        let late = Timestamp(milliseconds: local - after)
        let shown = [early, late].filter { $0.milliseconds + offset($0) == local }.sorted()
        return (shown.first == shown.last ? Array(shown.prefix(1)) : shown, early)
    }

    /// The offset at a moment: `+02:00`.
    package func offsetText(_ moment: Timestamp) -> String {
        let minutes = offset(moment) / 60_000
        let size = abs(minutes)
        return (minutes < 0 ? "-" : "+") + twoDigits(Int(size / 60)) + ":" + twoDigits(Int(size % 60))
    }
}

/// The number with two digits.
package func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
}
