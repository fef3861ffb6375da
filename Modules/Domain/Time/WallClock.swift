import Foundation

/// Tells what time it is.
///
/// Injected wherever a time is stamped, so that a test decides the time. For waiting, a standard
/// `Clock` is injected instead: the wall clock may jump, a `ContinuousClock` may not.
public protocol WallClock: Sendable {
    /// The present moment.
    func now() -> Timestamp
}

/// The time of the machine.
public struct SystemWallClock: WallClock {
    /// Makes a clock that reads the machine's time.
    public init() {}

    /// The time of the system's clock.
    public func now() -> Timestamp {
        Timestamp(Date())
    }
}
