public import Foundation

/// A moment, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Every time in Trendy is a `Timestamp`, so that what a device stores, what it sends and what comes
/// back compare equal. On the wire it is an RFC 3339 string; see `Timestamp+RFC3339.swift`.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since the Unix epoch; negative before it.
    public var milliseconds: Int64

    /// Makes the moment that many milliseconds after the Unix epoch.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Makes the moment of a `Date`, rounded down to the millisecond and clamped to years 0 to 9999.
    public init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1000).rounded(.down)
        let clamped = min(max(exact, Double(Self.earliest.milliseconds)), Double(Self.latest.milliseconds))
        self.milliseconds = Int64(clamped)
    }

    /// The same moment as a `Date`.
    public var date: Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// 0000-01-01T00:00:00.000Z, the first moment that RFC 3339 can write.
    public static let earliest = Timestamp(milliseconds: -62_167_219_200_000)
    /// 9999-12-31T23:59:59.999Z, the last moment that RFC 3339 can write.
    public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

    /// Whether the left moment is before the right one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment that many milliseconds later; it stops at the ends of the representable range.
    public func advanced(byMilliseconds delta: Int64) -> Timestamp {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        if overflow { return delta < 0 ? .earliest : .latest }
        return Timestamp(milliseconds: min(max(sum, Self.earliest.milliseconds), Self.latest.milliseconds))
    }

    /// The moment that many seconds later.
    public func advanced(bySeconds seconds: Double) -> Timestamp {
        let delta = (seconds * 1000).rounded()
        guard delta.isFinite, abs(delta) < 1e18 else { return delta < 0 ? .earliest : .latest }
        return advanced(byMilliseconds: Int64(delta))
    }

    /// Seconds from another moment to this one; negative when this one is earlier.
    public func seconds(since other: Timestamp) -> Double {
        Double(milliseconds - other.milliseconds) / 1000
    }
}
