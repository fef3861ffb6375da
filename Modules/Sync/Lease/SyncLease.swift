import TrendyDomain

/// The right to sync a store: at most one holder at a time, across tasks and processes.
///
/// It is a row in the store with an end. Whoever holds it renews it with every save; one whose process has
/// died, or that was not renewed in time, is taken over. "In time" is never longer than one lease lasts, however
/// the clock is set.
struct SyncLease {
    struct Row: Codable {
        var owner: String
        var token: String
        var expiresAt: Timestamp
    }

    let owner: LeaseOwner
    /// Differs for every sync, so that two in one process are told apart.
    let token: String
    let duration: Int64
    let wallClock: any WallClock

    /// Takes the lease in a unit of work that the caller saves. Answers whether it was free; where it was not, the
    /// unit may have brought its end nearer, and is saved just so.
    func acquire(in store: any DataStoreProtocol) throws -> Bool {
        try store.begin()
        if let held = try current(in: store), held.token != token, isValid(held) {
            try limit(held, in: store)
            return false
        }
        try write(to: store)
        return true
    }

    /// Prolongs the lease in a unit of work that the caller saves.
    ///
    /// - Throws: `CycleStop.leaseLost` where another has taken it.
    func renew(in store: any DataStoreProtocol) throws {
        try demand(in: store)
        try write(to: store)
    }

    /// Makes sure that the lease is still held, and prolongs it where half of it has passed.
    ///
    /// - Throws: `CycleStop.leaseLost` where another has taken it.
    func keep(in stores: any DataStoreFactory) throws {
        let store = try stores.makeDataStore()
        guard let held = try current(in: store), held.token == token else { throw CycleStop.leaseLost }
        guard held.expiresAt < wallClock.now().advanced(byMilliseconds: duration / 2) else { return }
        try store.begin()
        try renew(in: store)
        try store.save()
    }

    /// Makes sure that the lease is still held.
    ///
    /// - Throws: `CycleStop.leaseLost` where another has taken it, while this machine slept, say.
    func demand(in store: any DataStoreProtocol) throws {
        guard try isHeld(in: store) else { throw CycleStop.leaseLost }
    }

    /// Whether the lease is still held.
    func isHeld(in store: any DataStoreProtocol) throws -> Bool { try current(in: store)?.token == token }

    /// Gives the lease back, where it is still held.
    func release(in store: any DataStoreProtocol) throws {
        try store.begin()
        guard try isHeld(in: store) else { return }
        try store.setMetadata(MetadataKey.lease, nil)
    }

    /// Who holds the lease, whether or not it has run out.
    func holder(in store: any DataStoreProtocol) throws -> LeaseHolder? {
        try current(in: store).map(owner.holder)
    }

    private func isValid(_ row: Row) -> Bool { owner.holder(of: row).isHeld(at: wallClock.now()) }

    /// Brings the end of another's lease within what a lease lasts.
    ///
    /// An end that is further off comes from a clock that has since been set back. That says nothing of the holder,
    /// who may be in the middle of a request: a whole lease by the new time lets it renew, as it does when it lives
    /// and works, and frees the store from one that hangs, or whose number another process has by now.
    private func limit(_ row: Row, in store: any DataStoreProtocol) throws {
        let end = wallClock.now().advanced(byMilliseconds: duration)
        guard row.expiresAt > end else { return }
        var limited = row
        limited.expiresAt = end
        try store.setValue(limited, for: MetadataKey.lease)
    }

    private func current(in store: any DataStoreProtocol) throws -> Row? {
        try store.value(Row.self, for: MetadataKey.lease)
    }

    private func write(to store: any DataStoreProtocol) throws {
        let end = wallClock.now().advanced(byMilliseconds: duration)
        try store.setValue(Row(owner: owner.name, token: token, expiresAt: end), for: MetadataKey.lease)
    }
}
