import TrendyDomain

/// A stretch of the feed that was passed over unread, while creates waited of which it may tell.
///
/// A create whose answer was lost may have been taken, and its record deleted elsewhere since. Where that deletion is
/// passed over, nothing else tells that the create is not to go again.
struct PassedStretch: Codable, Equatable {
    /// The stretch begins after this place, a little before what had been applied.
    var start: Int64
    /// How far the feed had been applied.
    var applied: Int64
    /// The newest mutation that waited as it was passed over. What is done later knows nothing of the stretch.
    var lastMutation: Int64

    /// Remembers that everything after the settled place is passed over, for the creates that wait now. What was passed
    /// over before stays in it for as long as a create of then waits.
    static func note(in store: any DataStoreProtocol) throws {
        let creates = try store.fetchMutations(
            MutationQuery(states: [.queued, .sending, .parked], operations: [.create]))
        guard let oldest = creates.first, let newest = creates.last else {
            return try store.setValue(PassedStretch?.none, for: MetadataKey.passedStretch)
        }
        let applied = try store.cursor() ?? 0
        var stretch = PassedStretch(
            start: try FeedWindow.stored(in: store).settled, applied: applied, lastMutation: newest.id)
        if let known = try stored(in: store), oldest.id <= known.lastMutation {
            stretch.start = min(known.start, stretch.start)
            stretch.applied = min(known.applied, applied)
        }
        try store.setValue(stretch, for: MetadataKey.passedStretch)
    }

    /// The stretch that the store remembers.
    static func stored(in store: any DataStoreProtocol) throws -> PassedStretch? {
        try store.value(PassedStretch.self, for: MetadataKey.passedStretch)
    }

    /// Whether the stretch may tell of a create.
    func concerns(_ create: PendingMutation) -> Bool { create.id <= lastMutation }
}
