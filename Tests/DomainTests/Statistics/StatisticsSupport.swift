import Foundation
import Testing
import TrendyDomain

/// Chance from a seed, so that a failing test fails again.
struct Dice {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
    mutating func chance(_ chance: Double) -> Bool { unit() < chance }
    mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// The day that `2026-11-20` names.
func day(_ text: String) throws -> CalendarDay {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    try #require(parts.count == 3)
    return try #require(CalendarDay(year: parts[0], month: parts[1], day: parts[2]))
}

func zone(_ name: String) throws -> TimeZone {
    try #require(TimeZone(identifier: name))
}

func moment(_ text: String) throws -> Timestamp {
    try #require(Timestamp(text))
}

/// Counts of one event on each of these days.
func counts(on days: [String]) throws -> DayCounts {
    var counts = DayCounts()
    for text in days { counts.add(on: try day(text)) }
    return counts
}

/// The tally of events at these moments.
func tally(_ moments: [String], in zone: any UTCOffsetSource = FixedUTCOffset()) throws -> EventTally {
    var tally = EventTally(in: zone)
    for text in moments { tally.add(try moment(text)) }
    return tally
}

extension CountSeries {
    /// The buckets as text: `2026-11-20 3`.
    var lines: [String] { buckets.map { "\($0.bucket) \($0.count)" } }
}
