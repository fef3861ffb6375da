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

    /// What is known before the first answer: nothing.
    public init() {}

    /// The server's time.
    public func now(at moment: Timestamp) -> Timestamp { moment.advanced(bySeconds: -(reading?.lead ?? 0)) }

    /// When a mutation can be sent, by this device's clock; nil if the time does not hold it back.
    ///
    /// - Parameter moment: The present moment, by this device's clock.
    public func waitEnd(of mutation: PendingMutation, at moment: Timestamp) -> Timestamp? {
        guard refusesEarlyIds, mutation.operation == .create, mutation.state == .queued,
            let made = UUIDv7(mutation.entityId)?.timestamp
        else { return nil }
        let wait = made.seconds(since: now(at: moment)) - ClockReading.tolerance
        return wait > 0 ? moment.advanced(bySeconds: wait) : nil
    }

    /// An id whose time is that of the server's clock.
    func correct(_ id: String) -> String {
        guard let reading, reading.differs, let made = UUIDv7(id) else { return id }
        let time = UInt64(max(0, now(at: made.timestamp).milliseconds))
        return UUIDv7(milliseconds: time, randomHigh: UInt16(made.high & 0x0FFF), randomLow: made.low).description
    }

    /// Takes in what an answer has told. A reading within the doubt of the stored one is no news, unless its own doubt is
    /// less than half as large.
    ///
    /// - Parameter refusesEarlyIds: Whether the answer has refused an id because of its time.
    mutating func note(_ seen: ClockReading?, refusesEarlyIds: Bool = false) {
        if refusesEarlyIds { self.refusesEarlyIds = true }
        guard let seen else { return }
        if let reading, seen.doubt >= reading.doubt / 2,
            abs(seen.lead - reading.lead) <= max(seen.doubt, reading.doubt) + Self.newsworthy
        {
            return
        }
        reading = seen
    }

    /// Changes of so many seconds are not stored.
    private static let newsworthy = 1.0

    private enum CodingKeys: String, CodingKey {
        case reading
        case refusesEarlyIds = "refuses_early_ids"
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
        guard outcome == .rejected, let errors, !errors.isEmpty else { return false }
        return errors.allSatisfy { $0.field == "id" && $0.code == FieldError.tooEarly }
    }
}

extension FieldError {
    /// The code of an id that is ahead of the server's clock.
    static let tooEarly = "future_timestamp"
}
