import TrendyDomain

/// The right to sync a store: at most one holder at a time, across tasks and processes.
///
/// It is a row in the store with an end. The holder renews it with every save. A lease whose process has died, or
/// that was not renewed in time, is taken over. "In time" is never longer than one lease lasts, however the clock is
/// set. Nobody takes it over while a request of its holder is on its way, because each request begins with most of it
/// left (Docs/decisions/0042).
struct SyncLease {
    struct Row: Codable {
        var owner: String
        var token: String
        var expiresAt: Timestamp
        /// How long the holder's lease lasts, in milliseconds; nil in a row of an earlier version.
        var duration: Int64?
    }

    let owner: LeaseOwner
    /// Differs for every sync, so that two in one process are told apart.
    let token: String
    let duration: Int64
    let wallClock: any WallClock

    /// Takes the lease in a unit of work that the caller saves in any case. Returns whether it was free; if it was
    /// not, its end may have been brought nearer.
    func acquire(in store: any DataStoreProtocol) throws -> Bool {
        try store.beginRepeatable()
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

    /// Makes sure that the lease is still held, and that five sixths of it are left: as long as a request may take.
    ///
    /// - Throws: `CycleStop.leaseLost` where another has taken it.
    func keep(in stores: any DataStoreFactory) throws {
        let store = try stores.makeDataStore()
        guard let held = try current(in: store), held.token == token else { throw CycleStop.leaseLost }
        guard held.expiresAt < wallClock.now().advanced(byMilliseconds: duration / 6 * 5) else { return }
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
        try store.beginRepeatable()
        guard try isHeld(in: store) else { return }
        try store.setMetadata(MetadataKey.lease, nil)
    }

    /// Who holds the lease, whether or not it has run out.
    func holder(in store: any DataStoreProtocol) throws -> LeaseHolder? {
        try current(in: store).map(owner.holder)
    }

    private func isValid(_ row: Row) -> Bool { owner.holder(of: row).isHeld(at: wallClock.now()) }

    /// Brings the end of another's lease within the length of one lease of its own.
    ///
    /// An end that is further off comes from a clock that was set back since. The holder may be in the middle of a
    /// request, so it gets one whole lease by the new time. A working holder renews it; a lease whose holder hangs,
    /// or whose process number another process has by now, runs out.
    private func limit(_ row: Row, in store: any DataStoreProtocol) throws {
        let end = wallClock.now().advanced(byMilliseconds: row.duration ?? duration)
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
        let row = Row(owner: owner.name, token: token, expiresAt: end, duration: duration)
        try store.setValue(row, for: MetadataKey.lease)
    }
}
