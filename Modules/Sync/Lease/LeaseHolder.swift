public import TrendyDomain

/// Who holds the right to sync a store.
public struct LeaseHolder: Sendable, Hashable {
    /// The name of the holder: for a process of this library its number and the machine, as `4711@laptop`.
    public var name: String
    /// When the right ends, unless it is renewed, by this device's clock.
    public var expiresAt: Timestamp
    /// Whether the holder lives; nil where that cannot be told.
    public var isAlive: Bool?

    /// Whether a sync is likely to be running: one that has died, or has not renewed its lease, is not.
    public func isHeld(at now: Timestamp) -> Bool { isAlive != false && expiresAt > now }
}
