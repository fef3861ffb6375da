import Foundation
import Synchronization
import TrendyData
import TrendyDomain

/// A network client that is created on the first request, because most commands send none.
final class DeferredNetworkClient: NetworkClientProtocol {
    private let name: @Sendable () -> String?
    private let make: @Sendable () throws(APIError) -> any NetworkClientProtocol
    private let made = Mutex<(any NetworkClientProtocol)?>(nil)

    /// - Parameters:
    ///   - name: Returns the name of the server, without creating the client.
    ///   - make: Creates the client.
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

    var clockReading: ClockReading? { made.withLock { $0?.clockReading } }

    var serverProduct: String? { made.withLock { $0?.serverProduct } }

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

    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String, idempotencyKey: String?) async throws -> Bool {
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

/// Creates clients for servers.
struct APIClientFactory: Sendable {
    let configuration: TrendyConfiguration
    let clock: any WallClock

    /// A client for a server, with the given credentials.
    ///
    /// - Throws: `ProxyError` or `CertificateFileError` where what a person said of the way there cannot be used.
    func makeClient(_ server: ServerAddress, _ credentials: any CredentialStore) throws -> APIClient {
        let transport = try configuration.transport(to: server)
        return APIClient(
            server: server, credentials: credentials, transport: standardTransport(configuration: transport),
            device: Self.device, timeLimit: transport.totalTimeout, clock: clock)
    }

    /// The name of this device in the list of sign-ins: `trendy/0.1.0 (laptop)`. A header allows only visible ASCII.
    private static let device: String = {
        let host = ProcessInfo.processInfo.hostName.filter {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0))
        }
        return "trendy/\(TrendyVersion.current)" + (host.isEmpty ? "" : " (\(host.prefix(64)))")
    }()

    /// The name of the server of the present or the last sign-in.
    var serverNameOfSignIn: String? { (try? ServerSession.load(configuration))?.server?.description }

    /// A client for the server of the present sign-in.
    func makeClientOfSignIn() throws(APIError) -> APIClient {
        let signIn: ServerSession
        do { signIn = try ServerSession.load(configuration) } catch { throw APIError.unauthorized("\(error)") }
        guard let server = signIn.server else { throw APIError.unauthorized("no server is set") }
        do { return try makeClient(server, signIn.credentials) } catch { throw APIError.connection("\(error)") }
    }
}
