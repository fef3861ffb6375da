import TrendyDomain

/// The chances of one step of a history.
///
/// Each step draws from a source of its own, made from the seed and the step's number, so that leaving out a step
/// changes nothing in what the others draw. That is what makes histories shrink.
struct Dice {
    private var state: UInt64

    init(seed: UInt64, stream: UInt64) {
        state = Self.mix(seed &* 0x9E37_79B9_7F4A_7C15 &+ Self.mix(stream &+ 0x632B_E59B_D9B4_E019))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// A number from 0 to below the bound.
    mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }

    mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// True with that probability.
    mutating func chance(_ probability: Double) -> Bool {
        Double(next() >> 11) / Double(1 << 53) < probability
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[below(elements.count)]
    }

    /// One of several choices, each as likely as its weight says.
    mutating func weighted<Choice>(_ choices: [(Choice, Int)]) -> Choice? {
        var left = below(choices.reduce(0) { $0 + $1.1 })
        for (choice, weight) in choices {
            if left < weight { return choice }
            left -= weight
        }
        return nil
    }

    // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
    private static func mix(_ value: UInt64) -> UInt64 {
        let first = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }
}
