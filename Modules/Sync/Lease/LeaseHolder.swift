public import TrendyDomain

/// Who holds the right to sync a store.
public struct LeaseHolder: Sendable, Hashable {
    /// The name of the holder: for a process of this library its number and the machine, as `4711@laptop`.
    public var name: String
    /// When the right ends unless it is renewed, by this device's clock.
    public var expiresAt: Timestamp
    /// Whether the holder's process is running; nil if that is not known.
    public var isAlive: Bool?

    /// Whether a sync is likely to be running: the holder's process has not died, and the lease was renewed in time.
    public func isHeld(at now: Timestamp) -> Bool { isAlive != false && expiresAt > now }
}
