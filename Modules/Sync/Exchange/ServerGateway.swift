import Synchronization
import TrendyDomain

/// Speaks the exchange to a server that has it, and the older routes to any other.
///
/// Each snapshot begins with the question whether there is an exchange. Afterwards the cursor tells which way it came
/// from. One refusal of the route decides nothing for good (``ExchangeAbsence``): a device that has used the exchange
/// waits for it, and one that uses the older routes asks for it again.
final class ServerGateway: SyncGateway {
    private let client: any NetworkClientProtocol
    private let stores: any DataStoreFactory
    private let rest: RESTGateway
    private let wallClock: any WallClock
    /// Whether it remembers what it learns of the server's routes. A question outside of a sync stores nothing.
    private let isRemembering: Bool
    private let permit: @Sendable () throws -> Void
    private let refused: @Sendable (_ retryAfter: Double?) throws -> Void
    private let state = Mutex(State())

    private struct State {
        /// Whether this cycle has asked for the exchange already.
        var hasAsked = false
        /// Whether this cycle has noted a refusal of the route already.
        var isAbsenceNoted = false
        /// That everything is to be taken anew from the exchange, which is there again.
        var comeback: APIError?
        /// Whether the older routes were read to their end since.
        var isRESTDone = false
    }

    /// - Parameters:
    ///   - isRemembering: False for a question outside of a sync.
    ///   - permit: Asked before each request that follows another within an exchange.
    ///   - refused: Called after a refusal for too many requests, with the seconds of silence that the server asks for,
    ///     if the exchange returns an answer and does not throw that refusal itself.
    init(
        client: any NetworkClientProtocol, stores: any DataStoreFactory, schema: EntitySchema,
        wallClock: any WallClock, clock: any Clock<Duration>, identifiers: any IdentifierGenerator,
        isRemembering: Bool = true,
        permit: @escaping @Sendable () throws -> Void = {},
        refused: @escaping @Sendable (_ retryAfter: Double?) throws -> Void = { _ in }
    ) {
        self.client = client
        self.stores = stores
        self.wallClock = wallClock
        self.isRemembering = isRemembering
        self.permit = permit
        self.refused = refused
        @Sendable func replica() throws -> Replica {
            Replica(
                store: try stores.makeDataStore(), schema: schema, wallClock: wallClock, identifiers: identifiers)
        }
        let device = KnownRecords { kind, ids in
            guard let type = schema.type(for: kind) else { return [:] }
            return try replica().load(type, ids)
                .compactMapValues { KnownVersion($0.record.base, created: $0.created) }
        } children: { kind, reference, id in
            try schema.type(for: kind).map { try replica().children($0, reference, of: id) } ?? []
        } ids: { kind, last, limit in
            // What is marked was shown by a comparison just now.
            try stores.makeDataStore().unmarkedIds(kind, after: last, limit: limit)
        } awaited: { kind, ids in
            let open = try stores.makeDataStore().openMutations(kind, ids: ids)
            return Set(open.filter { $0.state == .sending }.map(\.clientRequestId))
        }
        rest = RESTGateway(
            client: client, schema: schema, wallClock: wallClock, clock: clock, device: device, permit: permit,
            refused: refused)
    }

    /// The older routes need the device's versions. Before the first answer nobody knows which routes there are.
    func readsDevice(for cursor: String?) -> Bool { cursor.map(RESTCursor.isOne) ?? true }

    /// Those that the gateway to the older routes gives are its own.
    func countsOn(from former: String, in epoch: String) -> Bool { ![former, epoch].contains(RESTCursor.epoch) }

    func dividesExchange(from cursor: String?) -> Bool { cursor.map(RESTCursor.isOne) ?? false }

    func former(to cursor: String) throws -> ExchangeAbsence.Former? {
        guard isRemembering, RESTCursor.isOne(cursor) else { return nil }
        return try stores.makeDataStore().exchangeAbsence()?.former
    }

    func skipped(_ cursor: String) throws -> String { try RESTCursor.skipped(cursor) }

    func whereabouts(of records: [RecordKey], at cursor: String?) async throws -> [RecordKey: Whereabouts] {
        guard let cursor, RESTCursor.isOne(cursor) else { return Dictionary(records.map { ($0, .gone) }) { $1 } }
        return try await rest.whereabouts(of: records, at: cursor)
    }

    func exchange(
        _ request: SyncRequest, unanswered: [SyncMutation], after former: String?
    ) async throws -> GatewayAnswer {
        guard let cursor = request.cursor else { return try await begin(request, unanswered, after: former) }
        if !RESTCursor.isOne(cursor) { return try await goOn(request) }
        if let comeback = state.withLock({ $0.isRESTDone ? $0.comeback : nil }) { throw comeback }
        switch try await askAgain() {
        case .success(let response)?: return GatewayAnswer(response: response, untouched: request.keys)
        case .failure(let error)?: state.withLock { $0.comeback = error }
        case nil: break
        }
        return try await exchangeByOlderRoutes(request, unanswered)
    }

    /// Exchanges by the older routes. If the exchange is back, they are read to their end first, so that what others have
    /// deleted is not taken for lost.
    private func exchangeByOlderRoutes(
        _ request: SyncRequest, _ unanswered: [SyncMutation]
    ) async throws -> GatewayAnswer {
        let comeback = state.withLock { $0.comeback }
        var answer: GatewayAnswer
        do {
            answer = try await rest.exchange(request, unanswered: unanswered, after: nil)
        } catch let failure as GatewayFailure {
            guard let comeback, let error = failure.error as? APIError, !error.endsSync else { throw failure }
            throw GatewayFailure(error: comeback, untouched: failure.untouched)
        }
        // If the store cannot keep it, the next answer tells it again. This one is not given up for it.
        _ = try? hear()
        guard let comeback, !answer.response.more else { return answer }
        let response = answer.response
        let isNews = !response.changes.isEmpty || !response.results.isEmpty || response.cursor != request.cursor
        guard isNews else { throw GatewayFailure(error: comeback, untouched: answer.untouched) }
        state.withLock { $0.isRESTDone = true }
        answer.response.more = true
        return answer
    }

    /// Begins a snapshot by the routes that there are.
    private func begin(
        _ request: SyncRequest, _ unanswered: [SyncMutation], after former: String?
    ) async throws -> GatewayAnswer {
        state.withLock { ($0.comeback, $0.isRESTDone) = (nil, false) }
        do {
            let response = try await client.exchange(request)
            try forgetAbsence()
            return GatewayAnswer(response: response)
        } catch let error as APIError where error.hasNoExchange {
            // A snapshot begins without mutations.
            if error.status == nil { try await confirmOlderRoutes(or: error) }
            try noteAbsence()
            try permit()
            return try await rest.exchange(request, unanswered: unanswered, after: former)
        }
    }

    /// Makes sure that one of the older routes answers. A web page in place of the exchange can also be the network's, for
    /// instance that of a captive portal.
    ///
    /// - Throws: `page` where none answers; the error of the question where every other request would meet it too.
    private func confirmOlderRoutes(or page: APIError) async throws {
        try permit()
        do { _ = try await client.getLatestCursor() } catch let error as APIError {
            throw error.endsSync ? error : page
        }
    }

    /// Goes on with the exchange. If its route is missing, that passes, or the server was replaced by one that has only
    /// the older routes. A replacement lasts, and shows those routes.
    private func goOn(_ request: SyncRequest) async throws -> GatewayAnswer {
        do {
            let response = try await client.exchange(request)
            try forgetAbsence()
            return GatewayAnswer(response: response)
        } catch let error as APIError where error.hasNoExchange {
            let untouched = error.provesNoEffect ? request.keys : []
            do { try await judgeAbsence(error, request) } catch {
                throw GatewayFailure(error: error, untouched: untouched)
            }
            let end = APIError.epochChanged("the server has only the older routes now")
            throw GatewayFailure(error: end, untouched: untouched)
        }
    }

    /// Finds out whether the server has only the older routes now.
    ///
    /// - Throws: What the sync ends with if that is not sure.
    private func judgeAbsence(_ error: APIError, _ request: SyncRequest) async throws {
        let passing = APIError.notAServer(
            "its route for the exchange is missing at the moment (status \(error.statusOfRoute ?? 404)); a proxy may be in the "
                + "way")
        if error.status == nil { try await confirmOlderRoutes(or: passing) }
        var absence = try noteAbsence()
        guard absence.isLasting, isRemembering else { throw passing }
        try permit()
        _ = try await client.getLatestCursor()
        if let epoch = request.epoch, let cursor = request.cursor {
            absence.former = ExchangeAbsence.Former(epoch: epoch, cursor: cursor)
            try remember(absence)
        }
    }

    // MARK: Absence

    /// Asks for the exchange again, when it is time for that.
    ///
    /// A process hears of the server's version with its first answer, so that it asks because of another version with
    /// the second request of a sync, or in the next sync, by whatever process.
    ///
    /// - Returns: What follows if it is there: its answer from where the device stood in it, or a refusal after which
    ///   everything is taken anew. Nil if it is not there.
    private func askAgain() async throws -> Result<SyncResponse, APIError>? {
        // A device of an earlier version remembers nothing.
        let absence = try hear()
        guard isRemembering, absence?.isDue(at: wallClock.now()) ?? true, state.withLock({ !$0.hasAsked }) else {
            return nil
        }
        do {
            try permit()
            state.withLock { $0.hasAsked = true }
            let former = absence?.former
            var answer = try await client.exchange(
                SyncRequest(epoch: former?.epoch, cursor: former?.cursor, limit: 1))
            try forgetAbsence()
            if former == nil { return .failure(.epochChanged("the server has the exchange now")) }
            // The mutations of the request were not sent, and one change is what passes anywhere.
            answer.more = true
            return .success(answer)
        } catch let error as APIError {
            if case .rateLimited(let seconds) = error { try refused(seconds) }
            if error.asksForResync {
                try forgetAbsence()
                return .failure(error)
            }
            // Whatever a server says of the route, the exchange is not there, and the next question waits its time. A fault
            // on the way says nothing of it.
            if error.status != nil || error.hasNoExchange { try noteAbsence(isOfVersion: !error.isOfBusyServer) }
            return nil
        }
    }

    /// Takes in what the server calls itself by now.
    ///
    /// - Returns: What is remembered of the missing route; nil if it is not missing.
    private func hear() throws -> ExchangeAbsence? {
        guard var absence = try stores.makeDataStore().exchangeAbsence() else { return nil }
        if let product = client.serverProduct, absence.hears(product) { try remember(absence) }
        return absence
    }

    /// Notes a refusal. Those of one cycle are one: they tell nothing of how long it lasts.
    ///
    /// - Parameter isOfVersion: Whether it tells that this version of the server has no such route.
    @discardableResult
    private func noteAbsence(isOfVersion: Bool = true) throws -> ExchangeAbsence {
        let isNoted = state.withLock { state in
            defer { (state.hasAsked, state.isAbsenceNoted) = (true, true) }
            return state.isAbsenceNoted
        }
        let now = wallClock.now()
        let known = try stores.makeDataStore().exchangeAbsence()
        if isNoted, let known { return known }
        var absence = known ?? ExchangeAbsence(at: now)
        absence.refused(at: now)
        if isOfVersion { absence.refused(as: client.serverProduct) }
        try remember(absence)
        return absence
    }

    private func forgetAbsence() throws {
        let store = try stores.makeDataStore()
        guard try store.exchangeAbsence() != nil else { return }
        // A resync that begins from the older routes needs the former cursor until its first page is saved. Then the place
        // shows that the exchange is used, and the next answer ends the absence.
        if try store.exchangePlace().proof.map(RESTCursor.isOne) == true { return }
        try remember(nil)
    }

    private func remember(_ absence: ExchangeAbsence?) throws {
        guard isRemembering else { return }
        let store = try stores.makeDataStore()
        try store.begin()
        try store.setValue(absence, for: MetadataKey.exchangeAbsence)
        try store.save()
    }
}

extension APIError {
    /// Whether it concerns every request, on whatever routes.
    fileprivate var endsSync: Bool {
        switch self {
        case .notSent, .untrusted, .unauthorized, .rateLimited, .cancelled: true
        case .connection, .timeout, .notAServer, .malformedResponse, .answerTooLarge, .http, .inDoubt: false
        }
    }

    /// Whether it comes from a server that is busy or just starting, or from what is in front of that.
    fileprivate var isOfBusyServer: Bool { [429, 502, 503, 504].contains(status ?? 0) }

    /// Whether a server without the route answers so (RFC 9110: not found, method not allowed, not implemented). Some
    /// servers answer with a web page.
    fileprivate var hasNoExchange: Bool { [404, 405, 501].contains(statusOfRoute ?? 0) }

    /// The status of the refusal, also of one that came as a web page.
    fileprivate var statusOfRoute: Int? { if case .notAServer(_, _, let page) = self { page } else { status } }
}

extension KnownVersion {
    fileprivate init?(_ base: Base, created: Int64) {
        switch base {
        case .nothing: return nil
        case .document(let document, let revision):
            self.init(document: document, revision: max(revision, 0), createdRevision: created > 0 ? created : nil)
        case .tombstone(let revision, _): self.init(document: nil, revision: max(revision, 0))
        }
    }
}
