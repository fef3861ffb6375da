import TrendyDomain
import TrendyTestSupport

/// A server with the ways of the deployed ones, in front of which requests and answers get lost.
actor DeployedServer: NetworkClientProtocol {
    /// What becomes of one request.
    enum Step: Sendable {
        case loseRequest(APIError), loseAnswer(APIError)
    }

    nonisolated let mock: MockNetworkClient
    private let clock: ManualWallClock
    private var script: [Step?] = []
    /// The feed's entries that appear late, and when.
    private var hidden: [Int64: Timestamp] = [:]
    private var writes = 0
    /// Every so manieth entry appears late; 0 for none.
    private var lateness = 0
    /// The ids of the records that went with their parents.
    private(set) var cascaded: Set<String> = []

    init(clock: ManualWallClock) {
        self.clock = clock
        mock = MockNetworkClient(clock: clock, comparesSpelling: true)
    }

    func say(_ steps: [Step?]) { script = steps }

    func setLateness(_ every: Int) {
        lateness = every
        if every == 0 { hidden = [:] }
    }

    /// Takes the entry of the newest change out of the feed, as a crash between the two transactions does.
    func loseNewestEntry() async {
        guard let newest = await mock.changes.last, newest.operation == .create else { return }
        if await mock.changes.count(where: { $0.entityId == newest.entityId }) == 1 {
            await mock.forgetChanges(of: newest.entityId)
        }
    }

    // MARK: Ways

    private static let failure = RESTPeer.refusal(500, "pq: duplicate key value violates unique constraint")

    private func carryOut<Answer: Sendable>(_ serve: () async throws -> Answer) async throws -> Answer {
        let step = script.isEmpty ? nil : script.removeFirst()
        if case .loseRequest(let error)? = step { throw error }
        let answer = try await serve()
        if case .loseAnswer(let error)? = step { throw error }
        return answer
    }

    private func write<Answer: Sendable>(_ serve: () async throws -> Answer) async throws -> Answer {
        try await carryOut {
            let before = await mock.changes.last?.id ?? 0
            let answer = try await serve()
            writes += 1
            if lateness > 0, writes % lateness == 0 {
                for entry in await mock.changes where entry.id > before {
                    hidden[entry.id] = clock.now().advanced(bySeconds: 20)
                }
            }
            return answer
        }
    }

    private func isTaken(_ entity: some SyncEntity) async throws -> Bool {
        if let event = entity as? Event {
            return try await mock.events.contains {
                $0.id != event.id && $0.eventTypeId == event.eventTypeId && $0.timestamp == event.timestamp
            }
        }
        guard let type = entity as? EventType else { return false }
        return try await mock.eventTypes.contains { $0.id == type.id || $0.name == type.name }
    }

    func create<Entity: SyncEntity>(_ request: CreateRequest<Entity>, idempotencyKey: String?) async throws
        -> Remote<Entity>
    {
        try await write {
            if try await isTaken(request.entity) {
                throw Entity.self == Event.self ? RESTPeer.refusal(409, "event with this id exists") : Self.failure
            }
            // The route for one event forgets where it was.
            var fields = try WireCoding.fields(of: request.entity)
            for field in ["geofence_id", "location_latitude", "location_longitude", "location_name"] {
                fields[field] = nil
            }
            let entity = try WireCoding.value(Entity.self, from: fields)
            return try await mock.create(CreateRequest(entity), idempotencyKey: idempotencyKey)
        }
    }

    func createBatch<Entity: SyncEntity>(_ requests: [CreateRequest<Entity>], idempotencyKey: String?) async throws
        -> BatchCreateResponse<Entity>
    {
        try await write {
            var times: Set<String> = []
            for request in requests {
                guard let event = request.entity as? Event else { throw RESTPeer.refusal(404) }
                let isThere = try await mock.record(Event.self, id: event.id) != nil
                let hasType = try await mock.record(EventType.self, id: event.eventTypeId) != nil
                let isFirst = times.insert("\(event.eventTypeId) \(event.timestamp)").inserted
                let isFree = try await !isTaken(event)
                if isThere || !hasType || !isFirst || !isFree { throw Self.failure }
            }
            return try await mock.createBatch(requests, idempotencyKey: nil)
        }
    }

    func update<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?)
        async throws -> Remote<Entity>
    {
        try await write {
            guard let there = try await mock.record(type, id: id) else { throw Self.failure }
            var changes = patch.changes
            for field in ["location_latitude", "location_longitude", "default_value"] {
                if changes[field] == .null || changes[field] == 0 { changes[field] = nil }
            }
            if Entity.self == PropertyDefinition.self, changes["display_order"] == nil { changes["display_order"] = 0 }
            if Entity.self == EventType.self, changes.isEmpty { throw Self.failure }
            let kept = Patch<Entity>(changes: changes)
            if Entity.self == Event.self, try await isTaken(kept.applied(to: there.entity)) { throw Self.failure }
            do {
                return try await mock.update(type, id: id, kept, idempotencyKey: idempotencyKey)
            } catch APIError.http(409, _) { throw Self.failure }
        }
    }

    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String, idempotencyKey: String?) async throws -> Bool {
        try await write {
            guard try await mock.record(type, id: id) != nil else { throw Self.failure }
            let before = await mock.changes.count
            try await mock.delete(type, id: id, idempotencyKey: nil)
            // What went with it has no entries of its own.
            for entry in await mock.changes.dropFirst(before) where entry.entityId != id {
                cascaded.insert(entry.entityId)
                await mock.forgetChange(entry.id)
            }
            return false
        }
    }

    // MARK: Reading

    nonisolated func capabilities(of entityType: EntityType) -> RouteCapabilities {
        mock.capabilities(of: entityType)
    }

    func checkHealth() async throws { try await carryOut { try await mock.checkHealth() } }

    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity> {
        try await carryOut { try await mock.list(type, request) }
    }

    func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>? {
        try await carryOut { try await mock.get(type, id: id) }
    }

    func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse {
        try await carryOut {
            let now = clock.now()
            hidden = hidden.filter { $0.value > now }
            let newer = await mock.changes.filter { $0.id > cursor && hidden[$0.id] == nil }
            let page = Array(newer.prefix(min(limit, 7)))
            return ChangeFeedResponse(
                changes: page, nextCursor: page.last?.id ?? cursor, hasMore: newer.count > page.count)
        }
    }

    func getLatestCursor() async throws -> Int64 {
        try await carryOut { await mock.changes.last { hidden[$0.id] == nil }?.id ?? 0 }
    }
}
