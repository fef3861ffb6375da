public import Foundation

/// Tells how far local time is ahead of UTC.
///
/// It is all that the statistics ask of a time zone, so that whoever calls them can take the zone from wherever it
/// is cheap: Foundation's `TimeZone` conforms, and so can a closure over the C library.
public protocol UTCOffsetSource: Sendable {
    /// Milliseconds that a clock on the wall is ahead of UTC at a moment; negative west of Greenwich.
    func utcOffset(at moment: Timestamp) -> Int64
}

extension TimeZone: UTCOffsetSource {
    /// What the rules of this zone say, daylight-saving time included.
    public func utcOffset(at moment: Timestamp) -> Int64 {
        Int64(secondsFromGMT(for: moment.date)) * 1000
    }
}

/// A local time that is always equally far from UTC.
public struct FixedUTCOffset: UTCOffsetSource, Hashable {
    /// Milliseconds ahead of UTC.
    public let milliseconds: Int64

    /// Makes a local time that is so many milliseconds ahead of UTC; by default it is UTC itself.
    public init(milliseconds: Int64 = 0) {
        self.milliseconds = milliseconds
    }

    /// The same offset at every moment.
    public func utcOffset(at moment: Timestamp) -> Int64 { milliseconds }
}
