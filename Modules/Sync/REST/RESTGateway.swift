import TrendyDomain

/// Speaks to a server that has only the older routes, and makes it look like the exchange.
///
/// Only this folder knows how deployed servers differ from the contract. An exchange reads the feed first and sends
/// afterwards: a record that the feed does not name has not changed since its base, so compare-and-set needs no
/// request of its own.
///
/// After the gateway has read a record and before it changes it, another device can change it as well. That is
/// noticed one cycle later; where both wrote the same field, the conflict may not be listed.
actor RESTGateway: SyncGateway {
    private let records: RESTRecords
    private let schema: EntitySchema
    private let wallClock: any WallClock
    private let clock: any Clock<Duration>
    private let device: KnownRecords

    private let refused: @Sendable (_ retryAfter: Double?) throws -> Void

    /// The error of an exchange that ended early and had something to answer. The next exchange throws it.
    private var postponed: (any Error)?
    /// The mutations on which the server has failed, by their keys, until the last answer of the cycle tells of them.
    private var failed: [String: APIError] = [:]
    /// How much the way to the server has refused of what this cycle has sent.
    private var wayRefusals = RefusalBudget()
    /// How often the server has failed in this cycle on what it failed on before.
    private var repeatedFailures = RepeatedFailures()

    /// How many requests of one exchange read the listings in a snapshot.
    private static let snapshotRequests = 20
    /// How many read them in a listing check, which is done in parts.
    private static let checkRequests = 4
    /// How many records a comparison asks for one by one. Deployed servers allow 300 requests a minute.
    private static let askedRecords = 100

    /// - Parameters:
    ///   - permit: Asked before each request: another may have the right to sync by then.
    ///   - refused: Called after a refusal for too many requests, with the seconds of silence that the server asks for,
    ///     if the exchange returns an answer and does not throw that refusal itself.
    init(
        client: any NetworkClientProtocol, schema: EntitySchema, wallClock: any WallClock,
        clock: any Clock<Duration>, device: KnownRecords,
        permit: @escaping @Sendable () throws -> Void = {},
        refused: @escaping @Sendable (_ retryAfter: Double?) throws -> Void = { _ in }
    ) {
        self.refused = refused
        records = RESTRecords(client: client, permit: permit)
        self.schema = schema
        self.wallClock = wallClock
        self.clock = clock
        self.device = device
    }

    nonisolated func readsDevice(for cursor: String?) -> Bool { true }
    nonisolated func dividesExchange(from cursor: String?) -> Bool { true }

    nonisolated func skipped(_ cursor: String) throws -> String { try RESTCursor.skipped(cursor) }

    nonisolated func countsOn(from former: String, in epoch: String) -> Bool { false }

    func exchange(
        _ request: SyncRequest, unanswered: [SyncMutation], after former: String?
    ) async throws -> GatewayAnswer {
        var exchange: RESTExchange?
        do {
            if let error = postponed {
                postponed = nil
                throw error
            }
            let begun = try await begin(request, unanswered)
            exchange = begun
            if request.cursor == nil { try await settleArrivals(begun, after: former) }
            let response = try await answer(begun)
            return GatewayAnswer(
                response: response, untouched: begun.untouched, wasRefused: postponed is CycleStop)
        } catch {
            throw GatewayFailure(error: error, untouched: exchange?.untouched ?? request.keys)
        }
    }

    private func answer(_ exchange: RESTExchange) async throws -> SyncResponse {
        let request = exchange.request
        let start = exchange.cursor
        var failure: APIError?
        do { try await carryOut(exchange) } catch let error as APIError {
            // The sizes of requests and troubled mutations are to be remembered too.
            let hasProgress = !exchange.results.isEmpty || !exchange.changes.isEmpty || exchange.cursor != start
            guard hasProgress, !error.asksForResync else { throw error }
            failure = error
        }
        try exchange.tellChildrenOfRemade()
        postponed = failure
        if case .rateLimited(let seconds) = failure {
            try refused(seconds)
            postponed = CycleStop.rateLimited
        }
        var response = SyncResponse(
            epoch: RESTCursor.epoch, head: exchange.cursor.head,
            results: (request.mutations + exchange.doubtful).compactMap { exchange.results[$0.key] },
            changes: exchange.changes,
            cursor: try exchange.cursor.text(), more: exchange.hasMore || failure != nil)
        if !response.more || failure != nil { (response.failures, failed) = (failed, [:]) }
        return response
    }

    func whereabouts(of records: [RecordKey], at cursor: String?) async throws -> [RecordKey: Whereabouts] {
        let exchange = try await begin(SyncRequest(epoch: RESTCursor.epoch, cursor: cursor, limit: 1))
        var found: [RecordKey: Whereabouts] = [:]
        for (kind, keys) in exchange.byKind(records.prefix(Self.askedRecords)) {
            for (id, place) in try await exchange.whereabouts(of: keys.map(\.id), kind) {
                found[RecordKey(kind.entityType, id)] = place
            }
        }
        return found
    }

    private func begin(_ request: SyncRequest, _ unanswered: [SyncMutation] = []) async throws -> RESTExchange {
        var cursor: RESTCursor
        if let text = request.cursor {
            guard let stored = RESTCursor(text) else {
                // Another version of this gateway has written it.
                throw APIError.cursorExpired
            }
            cursor = stored
        } else {
            // Changes after this place follow the listings.
            try records.permit()
            let newest = try await records.client.getLatestCursor()
            guard ChangeEntry.plausiblePlaces.contains(newest) else {
                throw APIError.malformedResponse("its feed ends at \(newest), which is no place in a feed")
            }
            cursor = RESTCursor(feed: FeedMemory(newest: newest), checkedDay: today, checkedKinds: kinds)
            cursor.snapshot = ListingPlace()
        }
        return RESTExchange(request, unanswered, cursor, records, schema, wallClock, clock, device)
    }

    private func carryOut(_ exchange: RESTExchange) async throws {
        if exchange.cursor.snapshot != nil {
            exchange.hasMore = true
            return try await RESTListing(exchange).tell(\.snapshot, within: Self.snapshotRequests)
        }
        var feedError: APIError?
        var isWhole = false
        // A broken feed does not hold back what can be sent without it.
        do { isWhole = try await RESTPull(exchange: exchange).run() } catch let error as APIError {
            if error.asksForResync { throw error }
            feedError = error
        }
        let isEnd = feedError.map { $0.endsExchange || $0.asksForTime } ?? false
        if !(exchange.request.mutations + exchange.doubtful).isEmpty {
            let push = try RESTPush(
                exchange, failed: failed, wayRefusals: wayRefusals,
                repeatedFailures: repeatedFailures, isFeedRead: isWhole)
            defer { (failed, wayRefusals, repeatedFailures) = (push.failed, push.wayRefusals, push.repeatedFailures) }
            try await push.settleArrived()
            if !isEnd { try await push.run() }
        }
        if isEnd, let feedError { throw feedError }
        try await exchange.tellReturnedParents()
        // Before the feed's end nobody knows what was made beneath a deleted record.
        if isWhole { try await exchange.tellOfChildren() }
        if let feedError { throw feedError }
        if !exchange.hasMore, isWhole { try await checkListings(exchange) }
    }

    /// Settles creates and edits that were sent without an answer, before a snapshot puts newer versions beneath them. The feed
    /// can show that they have arrived, and were changed by others since, only while the version that they began from is the
    /// base.
    private func settleArrivals(_ exchange: RESTExchange, after former: String?) async throws {
        let changes = exchange.doubtful.filter { $0.operation != .delete }
        if changes.isEmpty { return }
        do {
            // What the former cursor has skipped was not looked at either.
            let places = [former.flatMap { RESTCursor($0) }?.feed, exchange.cursor.feed].compactMap { $0?.settled }
            try await RESTPull(exchange: exchange).notePassed(since: places.min() ?? 0)
            for change in changes.filter({ exchange.passed[$0.record] != nil }).prefix(Self.askedRecords) {
                guard let kind = exchange.kind(change.entityType) else { continue }
                try await RESTListing(exchange).tell(kind, change.entityId)
            }
        } catch let error as APIError where !error.endsExchange && !error.asksForTime {
            // A feed that is broken does not hold back the snapshot.
            return
        }
        let push = try RESTPush(
            exchange, failed: failed, wayRefusals: wayRefusals, repeatedFailures: repeatedFailures, isFeedRead: false)
        try await push.settleArrived()
    }

    /// Compares the listings, to find what was written or deleted without an entry in the feed: once a day in parts, and
    /// at once if there is a new kind.
    private func checkListings(_ exchange: RESTExchange) async throws {
        let isNew = exchange.cursor.checkedKinds != kinds
        guard isNew || exchange.cursor.check != nil || exchange.cursor.checkedDay != today else { return }
        if exchange.cursor.check == nil {
            (exchange.cursor.check, exchange.cursor.checkedDay) = (ListingPlace(), today)
        }
        do {
            try await RESTListing(exchange).tell(\.check, within: Self.checkRequests)
        } catch let error as APIError where !error.endsExchange {
            // A listing that fails does not make the exchange fail. It is tried again tomorrow.
            exchange.cursor.check = nil
        }
        if exchange.cursor.check == nil {
            exchange.cursor.checkedKinds = kinds
        } else if isNew {
            exchange.hasMore = true
        }
    }

    private var kinds: [EntityType] { schema.types.map { $0.entityType } }

    private var today: Int64 { wallClock.now().milliseconds / 86_400_000 }
}

extension RESTExchange {
    /// Tells of deleted records that are there again, because the server has a record beneath them.
    ///
    /// Another device may have made one again between two requests of this exchange.
    fileprivate func tellReturnedParents() async throws {
        var returned: Set<RecordKey> = []
        for (key, seen) in observed {
            guard let document = seen.document, let kind = kind(key.entityType) else { continue }
            for parent in kind.parents(of: document) where parent.onDelete == .cascade {
                guard try isGone(parent.key) else { continue }
                let gone = try observed[parent.key] ?? known(parent.key)
                if seen.revision > gone?.revision ?? 0 { returned.insert(parent.key) }
            }
        }
        for key in returned.sorted() {
            guard let kind = kind(key.entityType),
                case .success(.some(let document)) = try await look(kind, key.id)
            else { continue }
            tell(kind, key.id, document, over: try observed[key] ?? known(key), always: true)
        }
    }

    /// Tells children of a record that was made anew once more, if the device has them already.
    ///
    /// The device removes children whose revision is smaller than that of the new parent: it takes them for children of the
    /// former one. So children of the new parent get greater revisions here. They come in the same answer, however many
    /// they are, because the next answer would be too late.
    fileprivate func tellChildrenOfRemade() throws {
        for parent in remade.sorted() {
            guard let seen = observed[parent], let made = seen.document?.createdAt else { continue }
            try tellChildren(of: parent, madeAt: made, seenAt: seen.revision)
        }
    }

    private func tellChildren(of parent: RecordKey, madeAt made: Timestamp, seenAt revision: Int64) throws {
        for (type, reference) in schema.children(of: parent.entityType) {
            guard let kind = kind(type.entityType) else { continue }
            for ids in try device.children(type.entityType, reference, parent.id).sorted().chunks(of: 500) {
                let known = try known(type.entityType, ids)
                for id in ids {
                    let key = RecordKey(type.entityType, id)
                    guard let child = observed[key] ?? known[id], child.revision < revision,
                        let document = child.document, document[reference.field] == .string(parent.id),
                        document.updatedAt.map({ $0 >= made }) ?? false
                    else { continue }
                    tell(kind, id, document, over: child, always: true)
                    try tellChildren(of: key, madeAt: made, seenAt: revision)
                }
            }
        }
    }

    /// Tells of the children of deleted records: deployed servers delete them too, or clear their references, and log
    /// the parent alone.
    fileprivate func tellOfChildren() async throws {
        while let parent = cursor.emptied.first {
            for (type, reference) in schema.children(of: parent.entityType) {
                guard let kind = kind(type.entityType) else { continue }
                let ids = try device.children(type.entityType, reference, parent.id)
                let seen = observed.filter { key, seen in
                    key.entityType == type.entityType && seen.document?[reference.field] == .string(parent.id)
                }
                for ids in Set(ids).union(seen.keys.map(\.id)).sorted().chunks(of: 500) {
                    if isFull {
                        hasMore = true
                        return
                    }
                    try await tell(kind, ids, reference, of: parent)
                }
            }
            cursor.emptied.removeFirst()
        }
    }

    private func tell(
        _ kind: RESTKind, _ ids: [String], _ reference: ParentReference, of parent: RecordKey
    ) async throws {
        let (known, owner) = (try known(kind.entityType, ids), try observed[parent] ?? known(parent))
        for id in ids {
            let seen = observed[RecordKey(kind.entityType, id)]
            guard var document = (seen ?? known[id])?.document, document[reference.field] == .string(parent.id)
            else { continue }
            if let made = owner?.document?.createdAt {
                // Where the parent was made again, what has changed since belongs to the new one.
                if let changed = document.updatedAt, changed > made { continue }
                if document.updatedAt.map({ $0 == made }) ?? true {
                    guard case .success(let now) = try await look(kind, id) else { continue }
                    tell(kind, id, now, over: seen ?? known[id])
                    continue
                }
            } else if let seen, seen.revision > owner?.revision ?? 0 {
                // What was seen after the parent was gone has been found there, or written since.
                continue
            }
            document[reference.field] = nil
            tell(kind, id, reference.onDelete == .cascade ? nil : document, over: seen ?? known[id])
        }
    }
}
