import Synchronization
public import TrendyDomain

/// Ids that count up: valid UUIDs of version 7 that are the same in every run and easy to tell apart.
///
/// The first of series 0 is `019b76da-a800-7000-8000-000000000001`.
public final class SequentialIdentifiers: IdentifierGenerator {
    private let series: UInt16
    private let count: Mutex<UInt64>

    /// Makes a generator.
    ///
    /// - Parameters:
    ///   - series: Tells apart generators (one for each device, say): 0 to 4095.
    ///   - start: The number of the first id.
    public init(series: UInt16 = 0, startingAt start: UInt64 = 1) {
        self.series = series & 0xFFF
        count = Mutex(start)
    }

    /// Makes the next id of the series.
    public func makeId() -> String {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        return Self.id(number, series: series)
    }

    /// The id of that number, without counting.
    public static func id(_ number: UInt64, series: UInt16 = 0) -> String {
        let time = hex(UInt64(ManualWallClock.defaultStart.milliseconds), digits: 12)
        return "\(time.prefix(8))-\(time.suffix(4))-7\(hex(UInt64(series & 0xFFF), digits: 3))-8000-"
            + hex(number & 0xFFFF_FFFF_FFFF, digits: 12)
    }

    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension UUIDv7Generator {
    /// A generator whose ids are the same for the same seed and the same times.
    public static func seeded(_ seed: UInt64, clock: any WallClock = ManualWallClock()) -> UUIDv7Generator {
        UUIDv7Generator(clock: clock, random: SeededRandomSource(seed: seed))
    }
}
