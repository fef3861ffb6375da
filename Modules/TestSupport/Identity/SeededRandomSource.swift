import Synchronization
public import TrendyDomain

/// Random bits that are the same for the same seed (SplitMix64, Steele, Lea and Flood 2014).
public final class SeededRandomSource: RandomSource, RandomNumberGenerator {
    private let state: Mutex<UInt64>

    /// Makes a source that gives the sequence of that seed.
    public init(seed: UInt64) {
        state = Mutex(seed)
    }

    /// Draws the next number of the seed's series.
    public func next() -> UInt64 {
        let mixed = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        let first = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let second = (first ^ (first >> 27)) &* 0x94D0_49BB_1331_11EB
        return second ^ (second >> 31)
    }
}
