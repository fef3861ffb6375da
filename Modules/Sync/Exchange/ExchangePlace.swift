import TrendyDomain

/// How far a device is with its server: what an exchange begins from.
struct ExchangePlace: Codable, Hashable, Sendable {
    /// Why everything is taken anew.
    enum Resync: String, Codable, Sendable {
        /// The device has had nothing of this server.
        case first
        /// A person asked for it.
        case asked
        /// The server has pruned tombstones that this device has not heard of.
        case expired
        /// The server's history is another: its data was restored or reset.
        case epoch
    }

    /// The name of the server's history; nil before the first answer.
    var epoch: String?
    /// The place that the last answer gave; nil to begin a snapshot.
    var cursor: String?
    /// All changes up to this revision have been heard of.
    var head: Int64 = 0
    /// Set until everything was taken anew. Nothing is sent before that.
    var resync: Resync? = .first
    /// Whether what a resync shows is marked, because there are records that it may not show.
    var isMarking = false
    /// How many mutations the next request carries; less than ``SyncRequest/mutationLimit`` where more were too much.
    var share = SyncRequest.mutationLimit

    /// Begins a resync, in the place of one that is under way.
    mutating func restart(_ reason: Resync) {
        cursor = nil
        head = 0
        // A history that was replaced stays so until the device has seen all of the new one, and so do tombstones that
        // were pruned.
        if resync == .epoch || resync == .first || resync == .expired && reason == .asked { return }
        resync = reason
    }
}

extension DataStoreProtocol {
    /// How far this device is with its server.
    func exchangePlace() throws -> ExchangePlace {
        try value(ExchangePlace.self, for: MetadataKey.exchange) ?? ExchangePlace()
    }

    /// Remembers how far this device is.
    func setExchangePlace(_ place: ExchangePlace) throws {
        try setValue(place, for: MetadataKey.exchange)
    }
}

extension ProblemDetails {
    /// Why everything has to be taken anew, where the server refuses a request for that; nil for any other refusal.
    var resync: ExchangePlace.Resync? {
        switch type {
        case "urn:trendy:error:epoch_changed": .epoch
        case "urn:trendy:error:cursor_expired": .expired
        default: nil
        }
    }
}
