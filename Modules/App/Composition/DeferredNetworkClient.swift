import Synchronization
import TrendyDomain

/// A client that is made when the first request is sent, so that work without a network never pays for one.
final class DeferredNetworkClient: NetworkClientProtocol {
    private let name: @Sendable () -> String?
    private let make: @Sendable () throws(APIError) -> any NetworkClientProtocol
    private let made = Mutex<(any NetworkClientProtocol)?>(nil)

    /// - Parameters:
    ///   - name: Tells the server's name, for which no client has to be made.
    ///   - make: Makes the client, or says why there is none.
    init(
        name: @escaping @Sendable () -> String?,
        _ make: @escaping @Sendable () throws(APIError) -> any NetworkClientProtocol
    ) {
        self.name = name
        self.make = make
    }

    var serverName: String? { name() }

    private func client() throws -> any NetworkClientProtocol {
        try made.withLock { client in
            if let client { return client }
            let fresh = try make()
            client = fresh
            return fresh
        }
    }

    func capabilities(of entityType: EntityType) -> RouteCapabilities {
        (try? client().capabilities(of: entityType)) ?? RouteCapabilities(listing: .whole)
    }

    func checkHealth() async throws { try await client().checkHealth() }

    func serverTime() async throws -> Timestamp? { try await client().serverTime() }

    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity> {
        try await client().list(type, request)
    }

    func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>? {
        try await client().get(type, id: id)
    }

    func create<Entity: SyncEntity>(
        _ request: CreateRequest<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> {
        try await client().create(request, idempotencyKey: idempotencyKey)
    }

    func createBatch<Entity: SyncEntity>(
        _ requests: [CreateRequest<Entity>], idempotencyKey: String?
    ) async throws -> BatchCreateResponse<Entity> {
        try await client().createBatch(requests, idempotencyKey: idempotencyKey)
    }

    func update<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> {
        try await client().update(type, id: id, patch, idempotencyKey: idempotencyKey)
    }

    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String, idempotencyKey: String?) async throws {
        try await client().delete(type, id: id, idempotencyKey: idempotencyKey)
    }

    func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse {
        try await client().getChanges(since: cursor, limit: limit)
    }

    func getLatestCursor() async throws -> Int64 { try await client().getLatestCursor() }

    func exchange(_ request: SyncRequest) async throws -> SyncResponse { try await client().exchange(request) }

    func watchHeads(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws {
        try await client().watchHeads(receive)
    }
}
