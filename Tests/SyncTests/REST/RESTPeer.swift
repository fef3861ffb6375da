import Synchronization
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A device as a gateway sees it: its bases, epoch and cursor, and nothing else of an engine.
final class RESTPeer {
    let network: MockNetworkClient
    let clock: ManualWallClock
    /// Measures how long requests take.
    let requestClock = ManualClock()
    private(set) var schema: EntitySchema
    private let bases = Bases()
    private(set) var gateway: RESTGateway
    var epoch: String?
    var cursor: String?
    /// The keys of mutations that had certainly no effect in the last exchange.
    private(set) var untouched: Set<String> = []

    private final class Bases: Sendable {
        let versions = Mutex<[RecordKey: KnownVersion]>([:])
        /// The mutations of the exchange that are still to be sent.
        let awaited = Mutex<[SyncMutation]>([])
    }

    init(_ network: MockNetworkClient? = nil, clock: ManualWallClock = ManualWallClock(), schema: EntitySchema? = nil) {
        self.clock = clock
        self.network = network ?? MockNetworkClient(clock: clock, comparesSpelling: true)
        self.schema = schema ?? self.network.schema
        gateway = Self.makeGateway(self.network, self.schema, clock, requestClock, bases)
    }

    private static func makeGateway(
        _ network: MockNetworkClient, _ schema: EntitySchema, _ clock: ManualWallClock, _ requestClock: ManualClock,
        _ bases: Bases
    ) -> RESTGateway {
        let device = KnownRecords { kind, ids in
            bases.versions.withLock { versions in
                ids.reduce(into: [:]) { $0[$1] = versions[RecordKey(kind, $1)] }
            }
        } children: { kind, reference, id in
            bases.versions.withLock { versions in
                versions.filter { $0.key.entityType == kind && $0.value.document?[reference.field] == .string(id) }
                    .map(\.key.id)
            }
        } ids: { kind, last, limit in
            let ids = bases.versions.withLock { $0.keys.filter { $0.entityType == kind }.map(\.id) }
            return Array(ids.sorted().filter { $0 > last ?? "" }.prefix(limit))
        } awaited: { kind, ids in
            bases.awaited.withLock { Set($0.filter { $0.entityType == kind && ids.contains($0.entityId) }.map(\.key)) }
        }
        return RESTGateway(
            client: network, schema: schema, wallClock: clock, clock: requestClock, device: device)
    }

    /// Another process goes on with what is saved; with a schema, one of a version that knows other kinds.
    func restart(schema: EntitySchema? = nil) {
        self.schema = schema ?? self.schema
        gateway = Self.makeGateway(network, self.schema, clock, requestClock, bases)
    }

    // MARK: What is here

    func known(_ kind: EntityType, _ id: String) -> KnownVersion? {
        bases.versions.withLock { $0[RecordKey(kind, id)] }
    }

    func ids(_ kind: EntityType) -> Set<String> {
        Set(
            bases.versions.withLock { $0.filter { $0.key.entityType == kind && $0.value.document != nil }.keys }
                .map(\.id))
    }

    /// The value of a field in the base of an event.
    func value(_ field: String, of id: String) -> JSONValue? { known(.event, id)?.document?[field] }

    // MARK: Exchanges

    /// One exchange, whose answer is applied as the core would.
    @discardableResult
    func exchange(_ mutations: [SyncMutation] = [], unanswered: Set<String> = [], limit: Int = 1_000) async throws
        -> SyncResponse
    {
        let request = SyncRequest(epoch: epoch, cursor: cursor, limit: limit, mutations: mutations)
        let response: SyncResponse
        bases.awaited.withLock { $0 = mutations }
        do {
            let answer = try await gateway.exchange(
                request, unanswered: mutations.filter { unanswered.contains($0.key) }, after: nil)
            (response, untouched) = (answer.response, answer.untouched)
        } catch let failure as GatewayFailure {
            untouched = failure.untouched
            throw failure.error
        }
        apply(response, to: mutations)
        return response
    }

    /// What a person does who gives up some of what an exchange is still to send.
    func givingUp(_ mutations: some Sequence<SyncMutation>) -> @Sendable () -> Void {
        let (bases, keys) = (bases, Set(mutations.map(\.key)))
        return { bases.awaited.withLock { $0.removeAll { keys.contains($0.key) } } }
    }

    /// Exchanges until nothing more is to be had. Answers all that was told.
    @discardableResult
    func catchUp(limit: Int = 1_000) async throws -> [SyncChange] {
        var changes: [SyncChange] = []
        while true {
            let response = try await exchange(limit: limit)
            changes += response.changes
            if !response.more { return changes }
        }
    }

    private func apply(_ response: SyncResponse, to mutations: [SyncMutation]) {
        (epoch, cursor) = (response.epoch, response.cursor)
        bases.versions.withLock { versions in
            func put(_ key: RecordKey, _ document: RecordDocument?, _ revision: Int64, _ created: Int64?) {
                guard revision > versions[key]?.revision ?? 0 else { return }
                let earlier = versions[key]?.createdRevision
                versions[key] = KnownVersion(
                    document: document, revision: revision, createdRevision: created ?? earlier)
            }
            for result in response.results {
                guard let mutation = mutations.first(where: { $0.key == result.key }) else { continue }
                let id = result.record?.objectValue?["id"]?.stringValue ?? mutation.entityId
                let key = RecordKey(mutation.entityType, id)
                var document = result.record?.objectValue
                if result.outcome == .accepted, document == nil, mutation.operation != .delete {
                    document = mutation.operation == .create ? mutation.document : versions[key]?.document
                    let shape = RecordShape(fields: [], maps: ["properties"])
                    let patch = FieldPatch(json: mutation.document, to: document ?? [:], shape: shape)
                    if mutation.operation == .update { document = patch.applied(to: document ?? [:]) }
                    let server = try? WireCoding.fields(of: result.server ?? ServerFields())
                    document?.merge(server ?? [:]) { $1 }
                }
                if [.accepted, .stale, .exists, .duplicate, .deleted].contains(result.outcome), result.revision > 0 {
                    put(key, document, result.revision, result.createdRevision)
                }
            }
            for change in response.changes {
                let key = RecordKey(change.entityType, change.entityId)
                put(key, change.record?.objectValue, change.revision, change.createdRevision)
            }
        }
    }

    // MARK: Mutations

    func create(_ entity: some SyncEntity, key: String = freshId()) throws -> SyncMutation {
        SyncMutation(
            key: key, entityType: type(of: entity).entityType, operation: .create, entityId: entity.id,
            data: .object(try WireCoding.fields(of: entity)))
    }

    func update(_ id: String, _ patch: [String: JSONValue], of kind: EntityType = .event, key: String = freshId())
        -> SyncMutation
    {
        SyncMutation(
            key: key, entityType: kind, operation: .update, entityId: id, base: known(kind, id)?.revision ?? 0,
            data: .object(patch))
    }

    func delete(_ id: String, of kind: EntityType = .event, key: String = freshId()) -> SyncMutation {
        SyncMutation(
            key: key, entityType: kind, operation: .delete, entityId: id, base: known(kind, id)?.revision ?? 0)
    }

    /// Lets time pass, so that servers' stamps differ.
    func tick(seconds: Double = 120) { clock.advance(bySeconds: seconds) }

    static let serverError = APIError.http(
        status: 500, problem: ProblemDetails(status: 500, detail: "pq: duplicate key value"))

    /// What something on the way to a server makes of a request that it does not like.
    static let errorsOfWay: [APIError] = [
        .timeout, .connection("reset"), .notAServer("it answered 403 with a web page"),
    ]

    static func refusal(_ status: Int, _ detail: String = "no") -> APIError {
        .http(status: status, problem: ProblemDetails(status: status, detail: detail))
    }
}

extension SyncResponse {
    var outcomes: [SyncOutcome] { results.map(\.outcome) }
}

extension MockNetworkClient {
    /// Puts the type of the events that ``makeEvent`` makes, and these events.
    func seed(events count: Int = 0, at start: Timestamp = ManualWallClock.defaultStart) throws -> [Event] {
        try put(makeEventType(id: testId(1), name: "coffee"))
        return try (0..<count).map { number in
            let time = start.advanced(byMilliseconds: Int64(number) * 60_000)
            return try put(makeEvent(timestamp: time, notes: "event \(number)")).entity
        }
    }
}
