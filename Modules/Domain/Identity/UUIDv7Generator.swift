import Synchronization

/// Makes ids for new records and keys for their mutations.
public protocol IdentifierGenerator: Sendable {
    /// A new id; never the same twice.
    func makeId() -> String
}

/// Makes UUIDs of version 7 that sort in the order in which they were made.
///
/// Within one millisecond, and while the clock stands still or runs back a little, the 12 bits after
/// the version and the top of the random part count up (RFC 9562, section 6.2, method 2). A clock
/// that jumps back by more than ``toleratedRegression`` is believed: servers refuse ids from the future.
public final class UUIDv7Generator: IdentifierGenerator {
    /// How far the clock may run back, in milliseconds, before the order of ids gives way to the clock.
    public static let toleratedRegression: UInt64 = 10_000

    private struct State {
        var milliseconds: UInt64 = 0
        var counter: UInt64 = 0
    }

    private let clock: any WallClock
    private let random: any RandomSource
    private let state = Mutex(State())

    /// Makes a generator that takes its time and its randomness from the given sources.
    public init(clock: any WallClock = SystemWallClock(), random: any RandomSource = SystemRandomSource()) {
        self.clock = clock
        self.random = random
    }

    /// The next UUID.
    public func next() -> UUIDv7 {
        let now = UInt64(max(0, clock.now().milliseconds))
        let seed = random.next()
        let tail = random.next()
        return state.withLock { state in
            if now > state.milliseconds || now + Self.toleratedRegression < state.milliseconds {
                state.milliseconds = now
                state.counter = seed & Self.counterSeedMask
            } else {
                state.counter += 1 + seed >> 48
                if state.counter > Self.counterMask {
                    state.milliseconds += 1
                    state.counter = seed & Self.counterSeedMask
                }
            }
            let low = (state.counter & 0x3FFF_FFFF) << 32 | tail & 0xFFFF_FFFF
            return UUIDv7(
                milliseconds: state.milliseconds, randomHigh: UInt16(state.counter >> 30), randomLow: low)
        }
    }

    /// Makes the next id, greater than all before it from this generator.
    public func makeId() -> String {
        next().description
    }

    /// The counter has 42 bits: 12 beside the version and the upper 30 of the random part.
    private static let counterMask: UInt64 = (1 << 42) - 1
    /// A fresh counter leaves its top bit clear, so that it can count for long.
    private static let counterSeedMask: UInt64 = (1 << 41) - 1
}
