public import TrendyDomain

/// What a device knows of its server's clock.
///
/// Servers of the older routes refuse a new record whose id was made more than a minute ahead of their clock. That is no
/// fault of the record: it waits until its time has come by the server's clock, and goes by itself.
public struct ServerClock: Codable, Sendable, Hashable {
    /// The difference of the clocks, as the latest answer has told it; nil if none has.
    public private(set) var reading: ClockReading?
    /// Whether the server has refused an id because it was ahead of its clock.
    private(set) var refusesEarlyIds = false
    /// The earliest time of the ids that the server has refused as ahead of its clock, until it takes one of that time or
    /// of a later one; nil if there is none.
    ///
    /// What it tells of its time can be wrong: a proxy before it may have written that. What it refuses cannot.
    private(set) var refusedTime: Timestamp?

    /// What is known before the first answer: nothing.
    public init() {}

    /// The server's time.
    public func now(at moment: Timestamp) -> Timestamp { moment.advanced(bySeconds: -(reading?.lead ?? 0)) }

    /// When a mutation can be sent, by this device's clock; nil if the time does not hold it back.
    ///
    /// - Parameter moment: The present moment, by this device's clock.
    public func waitEnd(of mutation: PendingMutation, at moment: Timestamp) -> Timestamp? {
        guard refusesEarlyIds, let made = Self.time(ofWaiting: mutation) else { return nil }
        let wait = made.seconds(since: now(at: moment)) - ClockReading.tolerance
        return wait > 0 ? moment.advanced(bySeconds: wait) : nil
    }

    /// Whether a mutation waits for the server's clock: until a time that is known, or until the server takes it.
    ///
    /// The latter is tried in each sync. Who makes an id later than one that was refused is refused for longer.
    public func holdsBack(_ mutation: PendingMutation, at moment: Timestamp) -> Bool {
        if waitEnd(of: mutation, at: moment) != nil { return true }
        guard let refusedTime, let made = Self.time(ofWaiting: mutation) else { return false }
        return made >= refusedTime
    }

    /// The time in the id of a new record that waits to be sent.
    private static func time(ofWaiting mutation: PendingMutation) -> Timestamp? {
        guard mutation.operation == .create, mutation.state == .queued else { return nil }
        return UUIDv7(mutation.entityId)?.timestamp
    }

    /// An id whose time is that of the server's clock.
    func correct(_ id: String) -> String {
        guard let reading, reading.differs, let made = UUIDv7(id) else { return id }
        let time = UInt64(max(0, now(at: made.timestamp).milliseconds))
        return UUIDv7(milliseconds: time, randomHigh: UInt16(made.high & 0x0FFF), randomLow: made.low).description
    }

    /// Takes in what an answer has told. A reading within the doubt of the stored one is no news, unless its own doubt is
    /// less than half as large.
    mutating func note(_ seen: ClockReading?) {
        guard let seen else { return }
        if let reading, seen.doubt >= reading.doubt / 2,
            abs(seen.lead - reading.lead) <= max(seen.doubt, reading.doubt) + Self.newsworthy
        {
            return
        }
        reading = seen
    }

    /// Takes in which new records the server has refused for the time of their ids, and which it has taken.
    mutating func note(refused: [String], taken: [String]) {
        func times(_ ids: [String]) -> [Timestamp] { ids.compactMap { UUIDv7($0)?.timestamp } }
        if let known = refusedTime, let newest = times(taken).max(), newest >= known { refusedTime = nil }
        guard let earliest = times(refused).min() else { return }
        refusesEarlyIds = true
        refusedTime = min(refusedTime ?? earliest, earliest)
    }

    /// Forgets which records were refused, because none of them waits any more.
    mutating func forgetRefusedTime() { refusedTime = nil }

    /// Forgets the refusals. The device speaks to another server now, or over other routes, and these may have no such rule.
    mutating func forgetRefusals() { (refusesEarlyIds, refusedTime) = (false, nil) }

    /// Changes of so many seconds are not stored.
    private static let newsworthy = 1.0

    private enum CodingKeys: String, CodingKey {
        case reading
        case refusesEarlyIds = "refuses_early_ids"
        case refusedTime = "refused_time"
    }
}

extension DataStoreProtocol {
    /// What is known of the server's clock.
    func serverClock() throws -> ServerClock {
        try value(ServerClock.self, for: MetadataKey.serverClock) ?? ServerClock()
    }
}

extension SyncEngine {
    /// What this device knows of its server's clock.
    ///
    /// - Throws: ``StoreError``.
    public nonisolated func serverClock() throws -> ServerClock {
        try stores.makeDataStore().serverClock()
    }
}

extension SyncResult {
    /// Whether the server refuses the record only because its id is ahead of the server's clock.
    var isTooEarly: Bool {
        outcome == .rejected && errors?.areForTime == true
    }
}

extension [FieldError] {
    /// Whether they say that an id is ahead of the server's clock, and nothing else.
    var areForTime: Bool { !isEmpty && allSatisfy { $0.field == "id" && $0.code == FieldError.tooEarly } }
}

extension FieldError {
    /// The code of an id that is ahead of the server's clock.
    static let tooEarly = "future_timestamp"
}
