/// Whose records a store holds.
public struct StoreOwner: Codable, Sendable, Hashable {
    /// The id of the person on the server. It alone tells two people apart, because an address of the server may
    /// change.
    ///
    /// If servers number their people, so that two of them have a person 1, put the server's name into it.
    public var userId: String
    /// What the person signs in with, for messages; nil where it is not known.
    public var email: String?
    /// The address of the server, for messages.
    public var server: String

    /// Names a person of a server.
    public init(userId: String, email: String? = nil, server: String) {
        self.userId = userId
        self.email = email
        self.server = server
    }

    /// The person and the server, for people to read: `ann@example.org at https://trendy.example.org`.
    public var name: String { "\(email ?? userId) at \(server)" }

    /// Whether the other says nothing new: the same person at the same address.
    func saysAll(of other: StoreOwner) -> Bool {
        userId == other.userId && server == other.server && (other.email == nil || other.email == email)
    }

    private enum CodingKeys: String, CodingKey {
        case email, server
        case userId = "user_id"
    }
}

/// Says that a store holds what belongs to somebody else.
public struct StoreOwnershipError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whose records they are.
    public var owner: StoreOwner

    /// Says whose records are in the way.
    public init(owner: StoreOwner) {
        self.owner = owner
    }

    /// What is in the way, and what helps.
    public var description: String {
        "the records here belong to \(owner.name); sign in as that person, or use another store"
    }
}
