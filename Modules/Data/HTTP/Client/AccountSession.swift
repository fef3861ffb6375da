public import TrendyDomain

/// A sign-in on a device, as the server lists it.
public struct AccountSession: Codable, Sendable, Hashable {
    /// What it is ended by.
    public var id: String
    /// What the device calls itself; nil where it does not.
    public var device: String?
    /// When somebody signed in.
    public var createdAt: Timestamp
    /// When it was used last, to the hour or so.
    public var usedAt: Timestamp
    /// When it ends unless it is used.
    public var expiresAt: Timestamp
    /// Whether it is this device's.
    public var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, device
        case createdAt = "created_at"
        case usedAt = "used_at"
        case expiresAt = "expires_at"
        case isCurrent = "is_current"
    }
}
