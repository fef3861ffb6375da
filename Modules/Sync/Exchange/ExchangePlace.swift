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

    /// How often a server has failed on the cursor that is to prove its history.
    struct FailedProofs: Codable, Hashable, Sendable {
        /// When it failed first.
        var since: Timestamp
        var count = 0

        /// After so many failures in cycles of their own nobody can tell which history it is.
        static let limit = 5
        /// How many seconds the failures must have lasted: a proxy can be in the way for hours. It is the same time as for a
        /// missing route.
        static let patience = ExchangeAbsence.patience
    }

    /// The name of the server's history; nil before the first answer.
    var epoch: String?
    /// The place that the last answer gave; nil to begin a snapshot.
    var cursor: String? {
        didSet { if cursor != nil { (proof, failedProofs) = (nil, nil) } }
    }
    /// The cursor that a resync has given up, which is to prove first that the server's history is still the same. Only a
    /// new cursor ends that: between the proof and the snapshot the server may be put back.
    private(set) var proof: String?
    /// How often the server has failed on that cursor alone; nil if it has not.
    private(set) var failedProofs: FailedProofs?
    /// The device has received all changes up to this revision.
    var head: Int64 = 0
    /// Why a resync is under way; nil if none is. Nothing is sent before it ends.
    var resync: Resync? = .first
    /// Whether the resync marks what it shows. It does if there are records that it may not show.
    var isMarking = false
    /// While another history is taken over, up to which revision it is known to be the former one; nil where revisions of
    /// both cannot be compared.
    var shared: Int64?
    /// How many bytes of mutations the next request carries.
    var sending: RequestWindow {
        get { sendingWindow ?? RequestWindow(start: 256 << 10) }
        set { sendingWindow = newValue }
    }
    /// How many changes the next request asks for.
    var receiving: RequestWindow {
        get { receivingWindow ?? RequestWindow(start: 256) }
        set { receivingWindow = newValue }
    }
    private var sendingWindow: RequestWindow?
    private var receivingWindow: RequestWindow?
    /// Whether the next cycle asks first whether the server answers at all, because the last one ended before it was known
    /// what a refusal was about.
    var asksFirst: Bool {
        get { isInDoubt ?? false }
        set { isInDoubt = newValue ? true : nil }
    }
    private var isInDoubt: Bool?

    /// Begins a resync, in the place of one that is under way.
    mutating func restart(_ reason: Resync) {
        proof = reason == .epoch ? nil : cursor ?? proof
        (cursor, head) = (nil, 0)
        // A resync keeps its stronger reason: another history, or pruned tombstones.
        let isStronger = resync == .epoch || resync == .first || resync == .expired && reason == .asked
        if reason == .epoch || !isStronger { resync = reason }
    }

    /// Notes that the server has failed on the cursor that is to prove the history, and on nothing else.
    ///
    /// - Returns: Whether it has done so for so long that nobody can tell which history it is.
    mutating func noteFailedProof(at now: Timestamp) -> Bool {
        var failures = failedProofs ?? FailedProofs(since: now)
        failures.count += 1
        // A clock that was ahead is right by now.
        failures.since = min(failures.since, now)
        failedProofs = failures
        return failures.count >= FailedProofs.limit && now.seconds(since: failures.since) >= FailedProofs.patience
    }

    /// The place after an answer. The last page of a resync ends it.
    func advanced(by read: ReadResponse, after shipment: Shipment) -> ExchangePlace {
        let response = read.response
        var place = self
        (place.epoch, place.cursor, place.asksFirst) = (response.epoch, response.cursor, false)
        if let time = read.time { place.notePassage(of: shipment, in: time, hasMore: response.more) }
        if response.more {
            // The pages of a snapshot are not in the order of revisions.
            let newest = resync == nil ? response.changes.map(\.revision).max() : nil
            place.head = max(head, newest ?? 0)
        } else {
            (place.resync, place.isMarking, place.shared, place.head) = (nil, false, nil, response.head)
        }
        return place
    }

    private mutating func notePassage(of shipment: Shipment, in time: Duration, hasMore: Bool) {
        if !shipment.items.isEmpty {
            sending.passed(shipment.bytes, isFull: shipment.isFull, in: time, atMost: Outbox.byteLimit)
        }
        // A request for less than the window says nothing of it.
        if shipment.limit < receiving.size { return }
        receiving.passed(shipment.limit, isFull: hasMore, in: time, atMost: SyncRequest.changeLimit)
    }
}

extension DataStoreProtocol {
    /// How far this device is with its server.
    func exchangePlace() throws -> ExchangePlace {
        try value(ExchangePlace.self, for: MetadataKey.exchange) ?? ExchangePlace()
    }

    /// Lets the next requests carry less, because a sync ended before its request was answered. A page that takes longer than
    /// each process lives would never arrive.
    func noteEarlyEnd() throws {
        var place = try exchangePlace()
        place.receiving.endedEarly()
        place.sending.endedEarly()
        try setExchangePlace(place)
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
