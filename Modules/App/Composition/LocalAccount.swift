import TrendyData
import TrendyDomain

/// Whose records the store holds, kept in the store itself: two accounts are never mixed.
struct LocalAccount: Codable, Sendable, Hashable {
    static let key = "app.account"
    /// Set where the next sync has to fetch everything, because another account has signed in.
    static let resyncKey = "app.full_resync"

    var userId: String
    var email: String?
    var server: String

    private enum CodingKeys: String, CodingKey {
        case email, server
        case userId = "user_id"
    }

    /// The account as a person reads it.
    var name: String { "\(email ?? userId) at \(server)" }

    /// The account of the store, nil before the first sign-in.
    static func load(_ reader: StoreReader) throws -> LocalAccount? {
        guard let text = try reader.metadata(key) else { return nil }
        return try? WireCoding.decode(LocalAccount.self, from: .init(text.utf8))
    }

    /// Makes the store this account's.
    func save(in stores: LocalStoreFactory, resync: Bool) throws {
        let store = try stores.makeDataStore()
        try store.begin()
        try store.setMetadata(Self.key, String(decoding: try WireCoding.encode(self), as: UTF8.self))
        if resync { try store.setMetadata(Self.resyncKey, "1") }
        try store.save()
    }

    /// True where the store has neither records nor work that waits.
    static func isEmpty(_ reader: StoreReader) throws -> Bool {
        guard try reader.counts().values.allSatisfy({ $0 == 0 }) else { return false }
        let waiting = try reader.mutationCounts()
        return [MutationState.Name.queued, .sending, .parked].allSatisfy { waiting[$0, default: 0] == 0 }
    }
}
