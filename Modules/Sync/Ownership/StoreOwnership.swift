public import TrendyDomain

/// Keeps the records of two people apart, where more than one may sign in on a device.
///
/// A store belongs to the first person that claims it, with everything that was written before anyone signed in.
/// Another person gets it only when nothing of the first is left in it. An engine sends its outbox as whoever its
/// client is signed in as. So claim the store after each sign-in, and before syncing with a sign-in from an earlier
/// time.
///
/// ```swift
/// let ownership = StoreOwnership(dataStoreFactory: stores, schema: schema)
/// try ownership.claim(for: StoreOwner(userId: user.id, email: user.email, server: "https://lists.example.org"))
/// await engine.performSync()
/// ```
public struct StoreOwnership: Sendable {
    private let dataStoreFactory: any DataStoreFactory
    private let schema: EntitySchema

    /// Guards a store.
    ///
    /// - Parameter schema: The kinds of record that the store holds: those of the engine.
    public init(dataStoreFactory: any DataStoreFactory, schema: EntitySchema) {
        self.dataStoreFactory = dataStoreFactory
        self.schema = schema
    }

    /// Whose the store is; nil where nobody has claimed it.
    ///
    /// - Throws: ``StoreError``.
    public func owner() throws -> StoreOwner? {
        try owner(in: dataStoreFactory.makeDataStore())
    }

    /// Makes sure that a person could claim the store, and changes nothing. It is for the time before a sign-in.
    ///
    /// - Parameter userId: The person; nil for somebody who is not known yet, as before a sign-up.
    /// - Throws: ``StoreOwnershipError`` where the store holds what belongs to another; ``StoreError``.
    public func requireRoom(for userId: String? = nil) throws {
        try requireRoom(for: userId, in: dataStoreFactory.makeDataStore())
    }

    /// Gives the store to a person; only renews address and e-mail if it is that person's already.
    ///
    /// If it was another's, and nothing of that person is left in it, the next sync takes everything anew, because
    /// the cursor was that of the other.
    ///
    /// - Throws: ``StoreOwnershipError`` where the store holds what belongs to another, and nothing is changed then;
    ///   ``StoreError``.
    public func claim(for owner: StoreOwner) throws {
        if let present = try self.owner(), present.saysAll(of: owner) { return }
        let store = try dataStoreFactory.makeDataStore()
        // The write lock keeps others from writing between the check and the change.
        try store.begin()
        try requireRoom(for: owner.userId, in: store)
        let present = try self.owner(in: store)
        var claimed = owner
        if present?.userId == owner.userId { claimed.email = owner.email ?? present?.email }
        if let present, present.userId != owner.userId {
            try store.setExchangePlace(ExchangePlace())
            try store.setMetadata(MetadataKey.exchangeAbsence, nil)
            try store.setMetadata(MetadataKey.lastComparison, nil)
        }
        if let present, present.server != owner.server {
            // The backoff concerns the other address.
            try store.setMetadata(MetadataKey.connectionBackoff, nil)
        }
        try store.setValue(claimed, for: MetadataKey.owner)
        try store.save()
    }

    private func owner(in store: any DataStoreProtocol) throws -> StoreOwner? {
        try store.value(StoreOwner.self, for: MetadataKey.owner)
    }

    private func requireRoom(for userId: String?, in store: any DataStoreProtocol) throws {
        guard let owner = try owner(in: store), owner.userId != userId, try !isEmpty(store) else { return }
        throw StoreOwnershipError(owner: owner)
    }

    /// Whether there is nothing that could be sent, shown or restored: no records, no open mutations, no conflicts,
    /// no quarantined changes.
    private func isEmpty(_ store: any DataStoreProtocol) throws -> Bool {
        for type in schema.types where try store.count(type) > 0 { return false }
        let waiting = MutationQuery(states: [.queued, .sending, .parked])
        return try store.countMutations(waiting) == 0
            && store.countDocuments(SyncConflict.self) == 0
            && store.countDocuments(QuarantinedChange.self) == 0
    }
}
