public import Foundation
public import TrendyDomain

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time zone that a person's times are meant in.
///
/// It asks the C library for the machine's zone: Foundation's `TimeZone` would load its calendar data
/// first, which takes longer than everything else that `trendy log` does.
public struct LocalZone: UTCOffsetSource {
    private let offset: @Sendable (Timestamp) -> Int64

    /// The rules of a Foundation time zone.
    public init(_ zone: TimeZone) {
        offset = { Int64(zone.secondsFromGMT(for: $0.date)) * 1000 }
    }

    /// A zone whose clock is so many milliseconds ahead of universal time at a moment.
    package init(offset: @escaping @Sendable (Timestamp) -> Int64) {
        self.offset = offset
    }

    /// The zone of this process: `TZ`, else the machine's.
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

    /// Milliseconds that local time is ahead of UTC at a moment, for the statistics.
    public func utcOffset(at moment: Timestamp) -> Int64 { offset(moment) }

    /// What the clock on the wall shows at a moment.
    public func civil(_ moment: Timestamp) -> CivilTime {
        CivilTime(localMilliseconds: moment.milliseconds + offset(moment))
    }

    /// The moment at which the clock on the wall shows this.
    ///
    /// Where clocks are put back and it shows twice, the first one; where they are put forward and it
    /// never shows, as long after the change as the missing time would have been (RFC 5545, section 3.3.5).
    public func moment(_ civil: CivilTime) -> Timestamp {
        let (shown, early) = readings(civil)
        return shown.first ?? early
    }

    /// The moments at which the clock on the wall shows this: one; none or two where clocks are changed.
    package func moments(_ civil: CivilTime) -> [Timestamp] { readings(civil).shown }

    /// - Returns: The moments in their order, and the moment by the offset of the day before.
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

    /// The local form `+02:00` of the offset at a moment.
    package func offsetText(_ moment: Timestamp) -> String {
        let minutes = offset(moment) / 60_000
        let size = abs(minutes)
        return (minutes < 0 ? "-" : "+") + twoDigits(Int(size / 60)) + ":" + twoDigits(Int(size % 60))
    }
}

/// The number with a leading zero where it has one digit.
package func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
}
