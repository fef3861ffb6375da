import TrendyDomain

/// The way to a server that speaks only the first HTTP API: it makes that look like the exact protocol.
///
/// Whatever deployed servers do otherwise than the contract says is known here and nowhere else. An exchange reads the
/// feed first and sends afterwards: what the feed does not name has not changed since its base, so that compare-and-set
/// needs no request of its own.
///
/// - Where results are missing and ``SyncResponse/more`` is set, the mutations have had no turn yet: that blames nobody.
///   Without it the server has failed on them, or on others before.
/// - Between the look at a record and the change of it another device can come first. Its change is then noticed one
///   cycle later; where both wrote the same field at the same moment, it may not be listed.
actor RESTGateway: SyncGateway {
    private let records: RESTRecords
    private let schema: EntitySchema
    private let wallClock: any WallClock
    private let random: any RandomSource
    private let known: @Sendable (EntityType, [String]) throws -> [String: KnownVersion]

    /// Why an exchange ended early that had something to tell: the next one fails with it.
    private var postponed: APIError?
    /// The keys of mutations that have surely not left this process.
    private var unsent: Set<String> = []

    /// So many requests of one exchange go through the listings in a snapshot.
    private static let snapshotRequests = 20
    /// So many in a listing check, which is done a part at a time.
    private static let checkRequests = 4
    private static let millisecondsPerDay: Int64 = 86_400_000

    /// - Parameter known: Tells what the device has as its base of records of a kind, by their ids.
    init(
        client: any NetworkClientProtocol, schema: EntitySchema, wallClock: any WallClock, random: any RandomSource,
        known: @escaping @Sendable (EntityType, [String]) throws -> [String: KnownVersion]
    ) {
        records = RESTRecords(client: client)
        self.schema = schema
        self.wallClock = wallClock
        self.random = random
        self.known = known
    }

    func exchange(_ request: SyncRequest, unanswered: Set<String>) async throws -> SyncResponse {
        try throwPostponed()
        let exchange = try await begin(request)
        let start = exchange.cursor
        do {
            try await carryOut(exchange, unanswered)
        } catch let error as APIError {
            // A size that was too much is remembered too.
            let hasLearnt = exchange.cursor.sizes != start.sizes || exchange.cursor.troubled != start.troubled
            guard exchange.hasProgress || hasLearnt, error.status != 409 else { throw error }
            postponed = error
            exchange.hasMore = true
        }
        return try answer(exchange)
    }

    /// Goes through all listings at once, and tells what the device does not have as the server has it.
    ///
    /// For a person who asks whether all is well. Otherwise a part of it is done with the exchanges of each day.
    ///
    /// - Parameter cursor: The one that the last exchange has answered.
    /// - Throws: ``APIError``.
    func compareListings(epoch: String, cursor: String) async throws -> SyncResponse {
        let exchange = try await begin(SyncRequest(epoch: epoch, cursor: cursor, limit: .max))
        exchange.cursor.check = ListingPlace()
        try await RESTSnapshot(exchange).check(within: .max)
        exchange.cursor.checkedDay = today
        return try answer(exchange)
    }

    // MARK: Steps

    private func throwPostponed() throws {
        defer { postponed = nil }
        if let postponed { throw postponed }
    }

    private func begin(_ request: SyncRequest) async throws -> RESTExchange {
        func exchange(_ cursor: RESTCursor) -> RESTExchange {
            RESTExchange(
                request, cursor: cursor, records: records, schema: schema, wallClock: wallClock, known: known)
        }
        guard let text = request.cursor else {
            // What changes while the listings are read follows from here.
            var cursor = RESTCursor(
                epoch: "rest-" + String(random.next(), radix: 36),
                feed: FeedMemory(newest: try await records.client.getLatestCursor()), checkedDay: today)
            cursor.snapshot = ListingPlace()
            return exchange(cursor)
        }
        guard let cursor = RESTCursor(text), request.epoch == cursor.epoch else {
            throw APIError.epochChanged("was not read by this device in this way")
        }
        return exchange(cursor)
    }

    private func carryOut(_ exchange: RESTExchange, _ unanswered: Set<String>) async throws {
        var feedError: APIError?
        var isWhole = false
        if exchange.cursor.snapshot != nil {
            exchange.hasMore = true
            try await RESTSnapshot(exchange).tellAll(within: Self.snapshotRequests)
        } else {
            do {
                isWhole = try await RESTPull(exchange: exchange).run()
            } catch let error as APIError where error.isOfFeedAlone {
                // What ails the feed holds back nothing that can do without it.
                feedError = error
            }
        }
        if !exchange.request.mutations.isEmpty {
            let doubtful = unanswered.subtracting(unsent)
            let push = RESTPush(exchange, unanswered: doubtful, isFeedRead: isWhole)
            defer { unsent = push.unsent }
            try await push.run()
        }
        if let feedError { throw feedError }
        if !exchange.hasMore, isWhole { try await checkListings(exchange) }
    }

    private func checkListings(_ exchange: RESTExchange) async throws {
        guard exchange.cursor.checkedDay != today else { return }
        if exchange.cursor.check == nil { exchange.cursor.check = ListingPlace() }
        do {
            try await RESTSnapshot(exchange).check(within: Self.checkRequests)
        } catch let error as APIError where !error.endsExchange {
            // A listing that fails is no reason to fail with what else was done; tomorrow is another day.
            exchange.cursor.check = nil
        }
        if exchange.cursor.check == nil { exchange.cursor.checkedDay = today }
    }

    private func answer(_ exchange: RESTExchange) throws -> SyncResponse {
        SyncResponse(
            epoch: exchange.cursor.epoch, head: exchange.cursor.head,
            results: exchange.request.mutations.compactMap { exchange.results[$0.key] }, changes: exchange.changes,
            cursor: try exchange.cursor.text(), more: exchange.hasMore)
    }

    private var today: Int64 { wallClock.now().milliseconds / Self.millisecondsPerDay }
}

extension APIError {
    /// Whether it says of the feed that it cannot be read, and nothing of the server.
    fileprivate var isOfFeedAlone: Bool {
        if endsExchange || mayBeOfAddress || status == 409 { return false }
        return !(502...504).contains(status ?? 0)
    }
}
