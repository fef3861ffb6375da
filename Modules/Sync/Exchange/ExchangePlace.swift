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

    /// The name of the server's history; nil before the first answer, and while the snapshot is to tell it.
    var epoch: String?
    /// The place that the last answer gave; nil to begin a snapshot.
    var cursor: String?
    /// The cursor that a resync has given up, which is to prove first that the server's history is still the same.
    var proof: String?
    /// The device has received all changes up to this revision.
    var head: Int64 = 0
    /// Why a resync is under way; nil if none is. Nothing is sent before it ends.
    var resync: Resync? = .first
    /// Whether the resync marks what it shows. It does if there are records that it may not show.
    var isMarking = false
    /// While another history is taken over, up to which revision it is known to be the former one; nil where revisions of
    /// both cannot be compared.
    var shared: Int64?
    /// How many mutations the next request carries; less than ``SyncRequest/mutationLimit`` after more were too many.
    var share = SyncRequest.mutationLimit

    /// Begins a resync, in the place of one that is under way.
    mutating func restart(_ reason: Resync) {
        proof = reason == .asked ? cursor ?? proof : nil
        // What has expired was proven to be of this history, whatever that is called by now.
        if reason == .expired { epoch = nil }
        (cursor, head) = (nil, 0)
        // A resync keeps its stronger reason: another history, or pruned tombstones.
        let isStronger = resync == .epoch || resync == .first || resync == .expired && reason == .asked
        if reason == .epoch || !isStronger { resync = reason }
    }

    /// The place after an answer. The last page of a resync ends it.
    func advanced(by response: SyncResponse, after shipment: Shipment) -> ExchangePlace {
        var place = self
        (place.epoch, place.cursor) = (response.epoch, response.cursor)
        if shipment.items.count == share { place.share = min(share * 2, SyncRequest.mutationLimit) }
        if response.more {
            // The pages of a snapshot are not in the order of revisions.
            let newest = resync == nil ? response.changes.map(\.revision).max() : nil
            place.head = max(head, newest ?? 0)
        } else {
            (place.resync, place.isMarking, place.head) = (nil, false, response.head)
        }
        return place
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
    /// Why everything has to be taken anew, if the server refuses a request for that; nil for any other refusal.
    var resync: ExchangePlace.Resync? {
        switch type {
        case "urn:trendy:error:epoch_changed": .epoch
        case "urn:trendy:error:cursor_expired": .expired
        default: nil
        }
    }
}
