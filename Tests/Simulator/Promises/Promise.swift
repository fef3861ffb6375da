/// The promises of the sync engine, by their numbers in the design.
public enum Promise: Int, CaseIterable, Sendable, Codable, Comparable {
    case durable = 1
    case exactlyOnce, nothingVanishes, order, cursor, noResurrection, rebase, convergence, bootstrap, singleFlight
    case polite, cancellable, signedOut, outOfOrderFeeds

    public static func < (left: Promise, right: Promise) -> Bool { left.rawValue < right.rawValue }
}

/// A promise that a history breaks.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
    public var promise: Promise
    public var message: String

    public var description: String { "promise \(promise.rawValue) (\(promise)): \(message)" }
}
