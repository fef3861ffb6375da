import TrendyDomain

/// What the parts of one exchange share: what they work with, and what they have found.
final class RESTExchange {
    let records: RESTRecords
    let schema: EntitySchema
    let request: SyncRequest
    let wallClock: any WallClock
    let device: KnownRecords

    var cursor: RESTCursor
    var results: [String: SyncResult] = [:]
    private(set) var changes: [SyncChange] = []
    /// Whether more is to be had at once.
    var hasMore = false
    /// The versions of records that this exchange has seen and the device does not have.
    private(set) var observed: [RecordKey: KnownVersion] = [:]
    /// The records that a request without an answer may have changed.
    var doubtful: Set<RecordKey> = []
    /// The versions of these that the feed has shown. They tell whether that request arrived before others changed the
    /// record.
    var passed: [RecordKey: [RecordDocument]] = [:]
    private var gone: [RecordKey: Bool] = [:]
    /// The records beneath which this exchange has seen changes.
    private(set) var changedBeneath: Set<RecordKey> = []
    /// How many requests were sent.
    private(set) var requests = 0

    init(
        _ request: SyncRequest, _ cursor: RESTCursor, _ records: RESTRecords, _ schema: EntitySchema,
        _ wallClock: any WallClock, _ device: KnownRecords
    ) {
        self.request = request
        self.cursor = cursor
        self.records = records
        self.schema = schema
        self.wallClock = wallClock
        self.device = device
    }

    /// Whether an answer is large enough.
    var isFull: Bool { changes.count >= request.limit }

    func kind(_ entityType: EntityType) -> RESTKind? { RESTKind(entityType, in: schema) }
    func capabilities(_ kind: RESTKind) -> RouteCapabilities { records.client.capabilities(of: kind.entityType) }

    func known(_ entityType: EntityType, _ ids: [String]) throws -> [String: KnownVersion] {
        ids.isEmpty ? [:] : try device.versions(entityType, ids)
    }
    func known(_ key: RecordKey) throws -> KnownVersion? { try known(key.entityType, [key.id])[key.id] }

    /// Whether a record is known as deleted.
    func isGone(_ key: RecordKey) throws -> Bool {
        if let seen = observed[key] { return seen.document == nil }
        // The core keeps no tombstone of what it never had.
        if cursor.emptied.contains(key) { return true }
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
    func ask<Answer>(_ send: () async throws -> Answer) async throws -> Result<Answer, APIError> {
        requests += 1
        try records.permit()
        do {
            return .success(try await send())
        } catch let error as APIError {
            if error.endsExchange { throw error }
            if error.mayBeOfAddress { try await confirmAPI() }
            return .failure(error)
        } catch is CancellationError {
            throw APIError.cancelled
        } catch let error as DecodingError {
            return .failure(.malformedResponse(inWords(error)))
        }
    }

    /// The record of an id as the server has it, in canonical form; nil where it has none.
    func look(_ kind: RESTKind, _ id: String) async throws -> Result<RecordDocument?, APIError> {
        switch try await ask({ try await records.get(kind.type, id) }) {
        case .success(.some(let document)): return .success(document)
        case .success(.none):
            try await confirmAPI()
            return .success(nil)
        case .failure(let error): return error.status == 410 ? .success(nil) : .failure(error)
        }
    }

    /// Makes sure that the server itself answered "not found": it asks for the feed's newest place, which names no
    /// record. A proxy that has lost the API says "not found" of everything. A server that fails on this question is
    /// there; a proxy answers 502 to 504 for itself.
    private func confirmAPI() async throws {
        requests += 1
        try records.permit()
        do {
            _ = try await records.client.getLatestCursor()
        } catch let error as APIError {
            if error.endsExchange { throw error }
            if error.mayBeOfAddress || error.isUnreadableAnswer || (502...504).contains(error.status ?? 0) {
                throw APIError.notAServer("nothing of its API is to be found there (\(error.description))")
            }
        }
    }

    /// Makes sure that the server answers what has nothing to do with a record.
    func probe() async throws {
        requests += 1
        try records.permit()
        do {
            _ = try await records.client.getLatestCursor()
        } catch let error as APIError {
            throw error.endsExchange ? error : APIError.connection("it fails on everything (\(error.description))")
        }
    }

    /// How much is asked for, or sent, at once. The size is halved when it was too large or did not come in time, and
    /// each success doubles it.
    func size(_ name: String, usual: Int) -> Int { min(usual, cursor.sizes[name] ?? usual) }
    func grow(_ name: String, usual: Int) {
        if let size = cursor.sizes[name] { cursor.sizes[name] = size > usual / 2 ? nil : size * 2 }
    }
    func shrink(_ name: String, from size: Int, to smallest: Int = 1) { cursor.sizes[name] = max(smallest, size / 2) }

    /// Asks for a part of something. A part that is too large is asked for again with half the size. After a silence
    /// the next exchange does that, so that a silent server ends this one soon.
    func part<Answer>(
        of name: String, usual: Int, smallest: Int, _ send: (Int) async throws -> Answer
    ) async throws -> Answer {
        var hasShrunk = false
        while true {
            let limit = size(name, usual: usual)
            do {
                let answer = try await ask { try await send(limit) }.get()
                if !hasShrunk { grow(name, usual: usual) }
                return answer
            } catch let error as APIError where (error == .timeout || error.isTooLarge) && limit > smallest {
                shrink(name, from: limit, to: smallest)
                if error == .timeout { throw error }
                hasShrunk = true
            }
        }
    }
}

extension APIError {
    /// Whether it concerns the connection, the account or the server's load, so that every other request would meet
    /// the same.
    var endsExchange: Bool { if case .http = self { false } else { !isUnreadableAnswer } }

    /// Whether it may concern the address and not the record: RFC 9110 has these for what is forbidden, not found,
    /// not to be done there, or gone.
    var mayBeOfAddress: Bool { [403, 404, 405, 410].contains(status ?? 0) }

    /// Whether the server has failed, or its answer cannot be read. The request may have taken effect.
    var isServerFailure: Bool { isUnreadableAnswer || [408, 425].contains(status ?? 0) || (status ?? 0) >= 500 }

    /// Whether a smaller size might have come through.
    var isTooLarge: Bool { if case .answerTooLarge = self { true } else { status == 413 } }

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
