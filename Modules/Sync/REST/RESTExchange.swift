import TrendyDomain

/// What the parts of one exchange share: what they work with, and what they have found.
final class RESTExchange {
    let records: RESTRecords
    let schema: EntitySchema
    let request: SyncRequest
    let wallClock: any WallClock
    private let clock: any Clock<Duration>
    let device: KnownRecords

    var cursor: RESTCursor
    var results: [String: SyncResult] = [:]
    private(set) var changes: [SyncChange] = []
    /// Whether more is to be had at once.
    var hasMore = false
    /// The versions of records that this exchange has seen and the device does not have.
    private(set) var observed: [RecordKey: KnownVersion] = [:]
    /// The keys of the mutations that may have reached the server before.
    let unanswered: Set<String>
    /// Those of them that the request leaves out.
    let doubtful: [SyncMutation]
    /// The records that requests without an answer may have changed.
    let doubtfulRecords: Set<RecordKey>
    /// The versions of these that the feed has shown. They tell whether that request arrived before others changed the
    /// record.
    var passed: [RecordKey: [RecordDocument]] = [:]
    private var gone: [RecordKey: Bool] = [:]
    /// The records that were made anew since the device saw them last.
    private(set) var remade: Set<RecordKey> = []
    /// The records beneath which this exchange has seen changes.
    private(set) var changedBeneath: Set<RecordKey> = []
    /// How many requests were sent.
    private(set) var requests = 0
    /// The keys of mutations that no request of this exchange has carried, but for requests that had no effect.
    private(set) var untouched: Set<String>

    init(
        _ request: SyncRequest, _ unanswered: [SyncMutation], _ cursor: RESTCursor, _ records: RESTRecords,
        _ schema: EntitySchema,
        _ wallClock: any WallClock, _ clock: any Clock<Duration>, _ device: KnownRecords
    ) {
        self.request = request
        self.cursor = cursor
        self.records = records
        self.schema = schema
        self.wallClock = wallClock
        self.clock = clock
        self.device = device
        let keys = request.keys
        untouched = keys
        self.unanswered = Set(unanswered.map(\.key))
        doubtful = unanswered.filter { !keys.contains($0.key) }
        doubtfulRecords = Set(unanswered.map(\.record))
    }

    /// Whether an answer is large enough.
    var isFull: Bool { changes.count >= request.limit }

    func kind(_ entityType: EntityType) -> RESTKind? { RESTKind(entityType, in: schema) }

    /// The records by their kinds, parents first; without those of unknown kinds.
    func byKind(_ records: some Sequence<RecordKey>) -> [(kind: RESTKind, records: [RecordKey])] {
        let records = Dictionary(grouping: records, by: \.entityType)
        return schema.types.compactMap { type in
            guard let keys = records[type.entityType], let kind = kind(type.entityType) else { return nil }
            return (kind, keys)
        }
    }

    func capabilities(_ kind: RESTKind) -> RouteCapabilities { records.client.capabilities(of: kind.entityType) }

    func known(_ entityType: EntityType, _ ids: [String]) throws -> [String: KnownVersion] {
        ids.isEmpty ? [:] : try device.versions(entityType, ids)
    }
    func known(_ key: RecordKey) throws -> KnownVersion? { try known(key.entityType, [key.id])[key.id] }

    /// Whether a record is gone, as far as is known.
    func isGone(_ key: RecordKey) throws -> Bool {
        // The core keeps no tombstone of what it never had.
        try observed[key] == nil && cursor.emptied.contains(key) || isKnownAsDeleted(key)
    }

    /// Whether the device knows a record as deleted, or will with the answer.
    func isKnownAsDeleted(_ key: RecordKey) throws -> Bool {
        if let seen = observed[key] { return seen.document == nil }
        if gone[key] == nil { gone[key] = try known(key).map { $0.document == nil } ?? false }
        return gone[key] ?? false
    }

    /// Notes the server's version of a record, in canonical form; nil if the server has no such record. The version
    /// gets a new revision.
    @discardableResult
    func observe(
        _ kind: RESTKind, _ id: String, _ document: RecordDocument?, over known: KnownVersion?
    ) -> KnownVersion {
        let key = RecordKey(kind.entityType, id)
        cursor.head = max(cursor.head, known?.revision ?? 0) + 1
        var version = KnownVersion(document: document, revision: cursor.head)
        if let document {
            let isSameRecord = known?.document.map { $0.createdAt == document.createdAt } ?? false
            if !isSameRecord, known != nil, !schema.children(of: kind.entityType).isEmpty { remade.insert(key) }
            version.createdRevision = isSameRecord ? known?.createdRevision : version.revision
            changedBeneath.formUnion(kind.parents(of: document).filter { $0.onDelete == .cascade }.map(\.key))
        } else if !schema.children(of: kind.entityType).isEmpty {
            cursor.emptied.append(key)
        }
        observed[key] = version
        return version
    }

    /// Tells a record as the server has it, where the device does not have it so, or always.
    func tell(
        _ kind: RESTKind, _ id: String, _ document: RecordDocument?, over known: KnownVersion?, always: Bool = false
    ) {
        let isKnown = document.map { kind.isSame(known?.document, $0) } ?? (known.map { $0.document == nil } ?? false)
        if isKnown && !always { return }
        let version = observe(kind, id, document, over: known)
        changes.append(
            SyncChange(
                entityType: kind.entityType, entityId: id, revision: version.revision,
                createdRevision: version.createdRevision, record: document.map { .object($0) }))
    }

    /// Passes an element that cannot be understood on as a change, as it came.
    func handOn(_ entityType: EntityType, _ entityId: String, _ record: JSONValue) {
        cursor.head += 1
        changes.append(SyncChange(entityType: entityType, entityId: entityId, revision: cursor.head, record: record))
    }

    /// Sends one request. It returns a refusal that concerns what was asked, and throws an error after which no
    /// further request makes sense.
    ///
    /// - Parameter isWrite: Whether it carries mutations. What is on the way can dislike their size or their words, and
    ///   let everything else through, so an error of the way is returned too.
    func ask<Answer>(
        isWrite: Bool = false, _ send: () async throws -> Answer
    ) async throws -> Result<Answer, APIError> {
        requests += 1
        try records.permit()
        do {
            return .success(try await send())
        } catch let error as APIError {
            if error.endsExchange, !(isWrite && error.mayBeOfWay) { throw error }
            if error.mayBeOfAddress, let doubt = try await confirmAPI() { return .failure(doubt) }
            return .failure(error)
        } catch is CancellationError {
            throw APIError.cancelled
        } catch let error as DecodingError {
            return .failure(.malformedResponse(inWords(error)))
        }
    }

    /// Sends one request that carries mutations; see ``ask(isWrite:_:)``.
    func carry<Answer>(_ keys: [String], _ send: () async throws -> Answer) async throws -> Result<Answer, APIError> {
        let fresh = untouched.intersection(keys)
        untouched.subtract(fresh)
        var isInDoubt = false
        do {
            let answer: Result<Answer, APIError> = try await ask(isWrite: true) {
                do { return try await send() } catch APIError.inDoubt(let refusal) {
                    isInDoubt = true
                    throw refusal
                }
            }
            if case .failure(let error) = answer, error.provesNoEffect, !isInDoubt { untouched.formUnion(fresh) }
            return answer
        } catch let error as APIError where error.provesNoEffect && !isInDoubt {
            untouched.formUnion(fresh)
            throw error
        }
    }

    /// The record of an id as the server has it, in canonical form; nil where it has none.
    ///
    /// - Parameter isNew: Whether the server is not known to have it. That it is not there is no news then, and the create
    ///   goes again under its key.
    func look(
        _ kind: RESTKind, _ id: String, isNew: Bool = false
    ) async throws -> Result<RecordDocument?, APIError> {
        switch try await ask({ try await records.get(kind.type, id) }) {
        case .success(.some(let document)): return .success(document)
        case .failure(let error) where error.status != 410: return .failure(error)
        case .success(.none), .failure:
            if let doubt = try await isNew ? confirmAPI() : confirmRoutes(of: kind) { return .failure(doubt) }
            return .success(nil)
        }
    }

    /// Looks at what has become of a write, after an answer that does not tell it.
    ///
    /// What may be of the way says nothing of the server, so the server has to answer now: with the record, or with
    /// "not found" next to another answer. If the record cannot be read, it is asked about the feed alone.
    func look(
        _ kind: RESTKind, _ id: String, after error: APIError, isNew: Bool = false
    ) async throws -> Result<RecordDocument?, APIError> {
        let there = try await look(kind, id, isNew: isNew)
        if error.mayBeOfWay, case .failure = there { try await probe() }
        return there
    }

    /// Which of these records the server has. One question about another one behind the last of them shows that "not
    /// found" counts. What stays unknown is left out.
    func whereabouts(of ids: [String], _ kind: RESTKind) async throws -> [String: Whereabouts] {
        var found: [String: Whereabouts] = [:]
        for id in ids {
            switch try await ask({ try await records.get(kind.type, id) }) {
            case .success(let document): found[id] = document == nil ? .gone : .there
            case .failure(let error): if error.status == 410 { found[id] = .gone }
            }
        }
        if found.values.contains(.gone), try await confirmRoutes(of: kind) != nil {
            return found.filter { $0.value == .there }
        }
        return found
    }

    /// Makes sure that "not found" is said of a record of a kind, and not of all of them: it asks for one that the server
    /// lists. The routes of one kind can be missing for a while, where a proxy sorts requests by their paths. Where none is
    /// listed, and for a kind that is listed for each parent alone, the feed has to answer.
    ///
    /// - Returns: The server's failure on this question, after which "not found" says nothing.
    private func confirmRoutes(of kind: RESTKind) async throws -> APIError? {
        if case .perParent = capabilities(kind).listing { return try await confirmAPI() }
        switch try await ask({ try await records.list(kind.type, ListRequest(limit: 1)) }) {
        case .success(let page):
            guard let listed = page.documents.first else { return try await confirmAPI() }
            switch try await ask({ try await records.get(kind.type, listed.id) }) {
            case .success(.some): return nil
            case .success(.none): break
            // It finds a record that cannot be read.
            case .failure(let error): return error.isUnreadableAnswer ? nil : error
            }
            let doubt = "it finds no \(kind.entityType.displayName), though it lists them"
            return .http(status: 404, problem: ProblemDetails(status: 404, detail: doubt))
        case .failure(let error):
            if error.asksForTime { throw error }
            if !error.mayBeOfAddress, let doubt = try await confirmAPI() { return doubt }
            return error.mayBeOfAddress || (error.status ?? 0) >= 500 ? error : nil
        }
    }

    /// Makes sure that "not found" is said of a record alone: it asks for the feed's newest place, which names no
    /// record. A proxy that has lost the API says "not found" of everything, and answers 502 to 504 for itself. A
    /// deployed server whose database fails says "not found" of every record, and fails on this question.
    ///
    /// - Returns: The server's failure on this question, after which "not found" says nothing.
    private func confirmAPI() async throws -> APIError? {
        requests += 1
        try records.permit()
        do {
            _ = try await records.client.getLatestCursor()
            return nil
        } catch let error as APIError {
            if error.endsExchange || error.asksForTime { throw error }
            if error.mayBeOfAddress || error.isUnreadableAnswer || (502...504).contains(error.status ?? 0) {
                throw APIError.notAServer("nothing of its API is to be found there (\(error.description))")
            }
            return error.isServerFailure ? error : nil
        }
    }

    /// Makes sure that the server answers what has nothing to do with a record.
    func probe() async throws {
        requests += 1
        try records.permit()
        do {
            _ = try await records.client.getLatestCursor()
        } catch let error as APIError {
            throw error.endsExchange || error.asksForTime
                ? error : APIError.connection("it fails on everything (\(error.description))")
        }
    }

    /// Notes that so much was sent or asked for at once, and how long that took.
    func note(_ name: String, _ amount: Int, isFull: Bool, in time: Duration, start: Int, atMost limit: Int) {
        var window = cursor.window(name, start: start)
        window.passed(amount, isFull: isFull, in: time, atMost: limit)
        cursor.setWindow(name, window, start: start)
    }

    /// Notes that so much at once did not pass.
    func noteRefusal(_ name: String, of amount: Int, start: Int) {
        var window = cursor.window(name, start: start)
        window.refused(amount)
        cursor.setWindow(name, window, start: start)
    }

    /// Does a request, and tells how long it took.
    func timing<Answer>(_ work: () async throws -> Answer) async rethrows -> (answer: Answer, time: Duration) {
        try await clock.timing(work)
    }

    /// How many items are asked for first. Later it is what comes in time.
    private static let firstPart = 250

    /// Asks for a part of something. If that fails, the smallest part is asked for. If it comes, the part was too large,
    /// and the next one is half as large.
    ///
    /// - Parameter isFull: Whether the part would have been larger if more had been asked for.
    func part<Answer>(
        of name: String, usual: Int, smallest: Int, isFull: (Answer, Int) -> Bool,
        _ send: (Int) async throws -> Answer
    ) async throws -> Answer {
        // A list in one piece has no other size.
        if smallest >= usual { return try await ask { try await send(usual) }.get() }
        let limit = max(smallest, min(usual, cursor.window(name, start: Self.firstPart).size))
        do {
            let (answer, time) = try await timing { try await ask { try await send(limit) }.get() }
            note(name, limit, isFull: isFull(answer, limit), in: time, start: Self.firstPart, atMost: usual)
            return answer
        } catch let error as APIError where error.mayBeOfSize && limit > smallest {
            let answer = try await ask { try await send(smallest) }.get()
            noteRefusal(name, of: limit, start: Self.firstPart)
            return answer
        }
    }
}

extension APIError {
    /// Whether it concerns the connection, the account or the server's load, so that every other request would meet
    /// the same.
    var endsExchange: Bool { if case .http = self { false } else { !isUnreadableAnswer } }

    /// Whether a failing server asks to be left alone for a while. Said of one record, it may be about that.
    var asksForTime: Bool {
        if case .http(500..., let problem) = self { problem.retryAfter != nil } else { false }
    }

    /// Whether it may concern the address and not the record: RFC 9110 has these for what is forbidden, not found,
    /// not to be done there, or gone.
    var mayBeOfAddress: Bool { [403, 404, 405, 410].contains(status ?? 0) }

    /// Whether the server has failed, or its answer cannot be read or has not come. The request may have taken effect.
    var isServerFailure: Bool {
        isUnreadableAnswer || mayBeOfWay || [408, 425].contains(status ?? 0) || (status ?? 0) >= 500
    }

    /// Whether there was no answer.
    var isSilence: Bool { if case .connection = self { true } else { self == .timeout } }

    /// Whether it may come from what is on the way to the server: a proxy that answers in its place, or that cuts or
    /// swallows what it does not like.
    var mayBeOfWay: Bool { if case .notAServer = self { true } else { isSilence } }

    /// Whether the server would refuse the same again, so that it makes no sense to send it.
    ///
    /// A server that refuses a record says why. What comes without a word may be of a proxy. What is forbidden, too large or
    /// locked (403, 407, 413, 423, 451) may be so for a while, and so may a route be missing (404, 405, 410).
    var isLastingRefusal: Bool {
        guard case .http(let status, let problem) = self, (400..<500).contains(status), !isServerFailure else {
            return false
        }
        return problem.givesReason && ![403, 404, 405, 407, 410, 413, 423, 451].contains(status)
    }

    /// Whether less might have come through.
    var mayBeOfSize: Bool {
        switch self {
        case .connection, .timeout, .notAServer, .malformedResponse, .answerTooLarge: true
        case .http: !asksForResync
        case .notSent, .untrusted, .unauthorized, .rateLimited, .cancelled, .inDoubt: false
        }
    }

    var asksForResync: Bool { if case .http(_, let problem) = self { problem.resync != nil } else { false } }

    /// That the feed does not go back so far any more.
    static let cursorExpired = APIError.http(
        status: 410, problem: ProblemDetails(type: "urn:trendy:error:cursor_expired", status: 410))

    /// The refusal that a server of the exchange gives for another history, so that the device takes everything anew.
    static func epochChanged(_ reason: String) -> APIError {
        let detail = "\(reason): the server was restored from a backup, or replaced"
        let problem = ProblemDetails(
            type: "urn:trendy:error:epoch_changed", title: "Another history", status: 409, detail: detail)
        return .http(status: 409, problem: problem)
    }
}

extension ProblemDetails {
    /// Whether it gives a reason, in whatever form.
    var givesReason: Bool { errors?.isEmpty == false || [type, title, detail, userMessage].contains { $0 != nil } }
}
