/// A source of random bits.
///
/// Injected wherever chance plays a part (ids, jitter), so that a test decides it.
public protocol RandomSource: Sendable {
    /// The next 64 random bits.
    func next() -> UInt64
}

/// The random generator of the system, fit for secrets.
public struct SystemRandomSource: RandomSource {
    /// Makes a source that draws from the system.
    public init() {}

    /// Draws from the system's generator.
    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
