import TrendyDomain

/// What of the feed was passed over unread, for the creates of which it may tell.
///
/// A create whose answer was lost may have been taken, and its record deleted elsewhere since. Where that deletion is
/// passed over, nothing else tells that the create is not to go again.
struct PassedStretch: Codable, Equatable {
    /// Where the stretch of a create begins.
    struct Place: Codable, Equatable {
        /// The stretch begins after this place, a little before what had been applied.
        var start: Int64
        /// How far the feed had been applied.
        var applied: Int64
        /// How often the create had been sent by then without an answer.
        var attempts: Int
    }

    /// By the ids of creates that may have left before the feed was passed over. What has not left by then, the stretch
    /// tells nothing of.
    private(set) var places: [Int64: Place] = [:]

    /// Remembers that everything after the settled place is passed over, for the creates that may have been taken. What was
    /// passed over before stays in it for as long as a create of then waits.
    static func note(in store: any DataStoreProtocol) throws {
        let creates = MutationQuery(states: [.queued, .sending, .parked], operations: [.create])
        let known = try stored(in: store)
        let start = try FeedWindow.stored(in: store).settled
        let applied = try store.cursor() ?? 0
        var stretch = PassedStretch()
        for create in try store.fetchMutations(creates) where create.hasLeft {
            stretch.places[create.id] =
                known?.places[create.id] ?? Place(start: start, applied: applied, attempts: create.attempts)
        }
        try store.setValue(stretch.places.isEmpty ? nil : stretch, for: MetadataKey.passedStretch)
    }

    /// The stretch that the store remembers.
    static func stored(in store: any DataStoreProtocol) throws -> PassedStretch? {
        try store.value(PassedStretch.self, for: MetadataKey.passedStretch)
    }

    /// The place after which it may tell of creates that still wait; nil where it tells of none.
    func start(in store: any DataStoreProtocol) throws -> Int64? {
        let open = MutationQuery(states: [.queued, .sending, .parked], operations: [.create])
        return try store.fetchMutations(open).compactMap { places[$0.id]?.start }.min()
    }
}
