import TrendyDomain

/// What the parts of one exchange share: what they work with, what they have found, and what is still allowed.
final class RESTExchange {
    let records: RESTRecords
    let schema: EntitySchema
    let request: SyncRequest
    let wallClock: any WallClock
    private let known: @Sendable (EntityType, [String]) throws -> [String: KnownVersion]

    var cursor: RESTCursor
    var results: [String: SyncResult] = [:]
    private(set) var changes: [SyncChange] = []
    /// Whether more is to be had at once.
    var hasMore = false
    /// What is known of records by observations of this exchange that the device does not have.
    private(set) var observed: [RecordKey: Observation] = [:]
    /// The records beneath which this exchange has seen changes.
    private(set) var changedBeneath: Set<RecordKey> = []
    /// How many requests were sent.
    private(set) var requests = 0
    /// Whether an answer "not found" was believed, and nothing has shown since that the API is there.
    private var isInDoubt = false

    /// A record as the server has it.
    struct Observation: Hashable {
        /// Nil where the server has none.
        var document: RecordDocument?
        var revision: Int64
        var createdRevision: Int64?
    }

    init(
        _ request: SyncRequest, cursor: RESTCursor, records: RESTRecords, schema: EntitySchema,
        wallClock: any WallClock, known: @escaping @Sendable (EntityType, [String]) throws -> [String: KnownVersion]
    ) {
        self.request = request
        self.cursor = cursor
        self.records = records
        self.schema = schema
        self.wallClock = wallClock
        self.known = known
    }

    /// Whether something was found or done that the core has to save.
    var hasProgress: Bool { !results.isEmpty || !changes.isEmpty }

    /// Whether an answer is large enough.
    var isFull: Bool { changes.count >= request.limit }

    func known(_ entityType: EntityType, _ ids: some Collection<String>) throws -> [String: KnownVersion] {
        ids.isEmpty ? [:] : try known(entityType, Array(ids))
    }

    func known(_ key: RecordKey) throws -> KnownVersion? { try known(key.entityType, [key.entityId])[key.entityId] }

    // MARK: Observations

    /// Takes note of a record as the server has it. One that the device does not have so gets a new revision.
    ///
    /// - Parameter document: In canonical form; nil where the server has no such record.
    /// - Parameter isTold: Whether it is a change that the answer tells.
    @discardableResult
    func observe(
        _ kind: RESTKind, _ id: String, _ document: RecordDocument?, over known: KnownVersion?, isTold: Bool = true
    ) -> Observation {
        cursor.head += 1
        var observation = Observation(document: document, revision: cursor.head)
        if let document {
            let isSameLife = known?.document.map { $0.createdAt == document.createdAt } ?? false
            let earlier = known.map(\.createdRevision).flatMap { $0 > 0 ? $0 : nil }
            observation.createdRevision = isSameLife ? earlier : observation.revision
            changedBeneath.formUnion(kind.parents(of: document).filter { $0.onDelete == .cascade }.map(\.key))
        }
        observed[RecordKey(entityType: kind.entityType, entityId: id)] = observation
        if isTold {
            changes.append(
                SyncChange(
                    entityType: kind.entityType, entityId: id, revision: observation.revision,
                    createdRevision: observation.createdRevision, record: Self.json(document)))
        }
        return observation
    }

    /// Hands on what cannot be understood, as it came.
    func handOn(_ entityType: EntityType, _ entityId: String, _ record: JSONValue) {
        cursor.head += 1
        changes.append(
            SyncChange(entityType: entityType, entityId: entityId, revision: cursor.head, record: record))
    }

    static func json(_ document: RecordDocument?) -> JSONValue? {
        guard let document else { return .none }
        return .object(document)
    }

    // MARK: Requests

    /// Sends one request.
    ///
    /// - Returns: The answer, or a refusal that concerns what was asked.
    /// - Throws: ``APIError`` where no further request makes sense.
    func ask<Answer>(_ send: () async throws -> Answer) async throws -> Result<Answer, APIError> {
        requests += 1
        do {
            let answer = try await send()
            isInDoubt = false
            return .success(answer)
        } catch let error as APIError {
            if error.endsExchange { throw error }
            if error.mayBeOfAddress {
                isInDoubt = true
                try await confirmAPI()
            }
            return .failure(error)
        } catch is CancellationError {
            throw APIError.cancelled
        } catch let error as DecodingError {
            return .failure(.malformedResponse(inWords(error)))
        }
    }

    /// The record of an id as the server has it, in canonical form; nil where it has none.
    ///
    /// That it has none is certain only after ``confirmAPI()``.
    func look(_ kind: RESTKind, _ id: String) async throws -> Result<RecordDocument?, APIError> {
        let wasInDoubt = isInDoubt
        switch try await ask({ try await records.get(kind.type, id) }) {
        case .success(.some(let document)):
            guard let canonical = kind.canonical(document) else {
                return .failure(.malformedResponse("it is no \(kind.entityType.displayName) that can be used"))
            }
            return .success(canonical)
        case .success(.none):
            // Whatever has lost its API says so of every record.
            isInDoubt = true
            return .success(nil)
        case .failure(let error) where error.status == 410:
            isInDoubt = wasInDoubt
            return .success(nil)
        case .failure(let error): return .failure(error)
        }
    }

    /// Makes sure that what answered "not found" was the server: it has the feed's newest place, which names no record.
    ///
    /// A server that fails on that is there. What stands before one has 502 to 504 for itself.
    ///
    /// - Throws: ``APIError`` where nothing of the API is there.
    func confirmAPI() async throws {
        guard isInDoubt else { return }
        requests += 1
        do {
            _ = try await records.client.getLatestCursor()
        } catch let error as APIError {
            if error.endsExchange { throw error }
            if error.mayBeOfAddress || error.isUnreadableAnswer || (502...504).contains(error.status ?? 0) {
                throw APIError.notAServer("nothing of its API is to be found there (\(error.description))")
            }
        }
        isInDoubt = false
    }
}

extension APIError {
    /// Whether it is about the connection, the account or the server's load, and every other request would meet the same.
    var endsExchange: Bool {
        switch self {
        case .connection, .timeout, .notAServer, .unauthorized, .rateLimited, .cancelled: true
        case .malformedResponse, .answerTooLarge, .http: false
        }
    }

    /// Whether it may be about the address and not about the record: RFC 9110 has these for what is forbidden, not
    /// found, not to be done there, or gone.
    var mayBeOfAddress: Bool { [403, 404, 405, 410].contains(status ?? 0) }

    /// Whether the server has failed, or answered with something that cannot be read. The request may have taken effect.
    var isServerFailure: Bool { isUnreadableAnswer || (status ?? 0) >= 500 }

    /// The complaint about the device's history that the exact server makes, so that the device takes all anew.
    static func epochChanged(_ reason: String) -> APIError {
        .http(
            status: 409,
            problem: ProblemDetails(
                type: "urn:trendy:error:epoch_changed", title: "Another history", status: 409,
                detail: "the server's change feed \(reason): the server was restored from a backup, or replaced",
                action: "resync"))
    }
}
