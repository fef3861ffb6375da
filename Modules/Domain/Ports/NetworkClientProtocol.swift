/// A server that keeps records, as a sync engine sees it.
///
/// It has a few generic operations. The methods named after Trendy's own kinds (`createEventWithIdempotency`,
/// `getGeofences` …) are extensions over them. An implementation sends each request once: the engine alone decides
/// what is tried again.
///
/// Every method throws ``APIError``.
public protocol NetworkClientProtocol: Sendable {
    /// The server's name; nil if it is not known.
    ///
    /// An engine keeps a pause that one server asks for apart from those of others by this name. It reads the name
    /// before it sends anything.
    var serverName: String? { get }

    /// What the server offers for a kind of record.
    func capabilities(of entityType: EntityType) -> RouteCapabilities

    /// Makes sure that what answers is a server of this protocol, and not a captive portal.
    func checkHealth() async throws

    /// The time of the server's clock, to the second; nil if the server does not tell it.
    ///
    /// A client without this method asks nothing, and answers nil.
    func serverTime() async throws -> Timestamp?

    /// What the latest answer has told of the server's clock; nil if none has told its time.
    ///
    /// A client without this property knows nothing of it.
    var clockReading: ClockReading? { get }

    /// What the server called itself in the latest answer that tells it, such as `trendy/1.2`; nil if none has.
    ///
    /// An engine takes another name for another version, which may have other routes. A client without this property
    /// knows nothing of it.
    var serverProduct: String? { get }

    /// A part of all records of a kind, in an order that stays.
    ///
    /// It may have fewer than were asked for. A resync removes what the pages do not show. So if the server says that
    /// there is more, as by a token of the next page, the client fetches it (``RouteCapabilities/fillsPages``).
    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity>

    /// One record, nil where the server has none of that id.
    func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>?

    /// Makes a record. If the answer has another id than the one sent, that record stands for it.
    func create<Entity: SyncEntity>(_ request: CreateRequest<Entity>, idempotencyKey: String?) async throws
        -> Remote<Entity>

    /// Makes many records of a kind with one request.
    func createBatch<Entity: SyncEntity>(_ requests: [CreateRequest<Entity>], idempotencyKey: String?) async throws
        -> BatchCreateResponse<Entity>

    /// Changes fields of a record.
    func update<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity>

    /// Deletes a record.
    ///
    /// - Returns: Whether the server repeats its answer to an earlier request with this key. Then it has deleted nothing now,
    ///   and a record that others have made again since is still there.
    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String, idempotencyKey: String?) async throws -> Bool

    /// The changes after a cursor.
    func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse

    /// The cursor of the newest change, 0 where there is none.
    func getLatestCursor() async throws -> Int64

    /// Sends what was done here and receives what was done elsewhere, with one request.
    ///
    /// A server without this route is reported as ``APIError/http(status:problem:)`` with status 404, 405 or 501. A
    /// client without this method asks nothing, and throws 404.
    func exchange(_ request: SyncRequest) async throws -> SyncResponse

    /// Hears from the server where the account stands, until the stream ends: when there is something to sync.
    ///
    /// It returns where the server has ended the stream in order. What is heard is a hint. A server without this route
    /// is reported as ``APIError/http(status:problem:)`` with status 404 or 405, or as ``APIError/notAServer(_:)``. A client
    /// without this method asks nothing, and throws 404.
    ///
    /// - Parameter receive: Called for each signal, in order. It must not block.
    func watchHeads(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws
}

extension NetworkClientProtocol {
    /// Not known.
    public var serverName: String? { nil }

    /// Nothing.
    public var clockReading: ClockReading? { nil }

    /// Not known.
    public var serverProduct: String? { nil }

    /// Nothing, without asking.
    public func serverTime() async throws -> Timestamp? { nil }

    /// Throws 404, without asking.
    public func exchange(_ request: SyncRequest) async throws -> SyncResponse { throw APIError.noExchange }

    /// Throws 404, without asking.
    public func watchHeads(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws { throw APIError.noLive }
}

/// What a server offers for a kind of record.
public struct RouteCapabilities: Sendable, Hashable {
    /// How the records of a kind are listed.
    public enum Listing: Sendable, Hashable {
        /// All of them in one answer.
        ///
        /// An engine asks for the rest all the same, with the offset behind what it has. A client that ignores
        /// offsets answers the same list again, or nothing, or refuses, and each of them ends the list.
        case whole
        /// In pages of at most this many.
        case paged(limit: Int)
        /// All of them in one answer for each record of another kind.
        case perParent(EntityType)
    }

    /// How the kind's records can be listed.
    public var listing: Listing
    /// The most records that can be made with one request; 0 where there is no such route.
    public var batchLimit: Int
    /// Whether an answer to ``NetworkClientProtocol/list(_:_:)`` always has as many records as were asked for, if
    /// there are so many. Then a shorter one is the last.
    ///
    /// False is always right. A server may have a limit of its own, or divide a list that it is said to send whole,
    /// so the engine reads a listing until nothing more comes. That costs one request more for each listing that is
    /// not empty. Say true only of a client that knows the end of a list in another way, as by the token of the next
    /// page.
    public var fillsPages: Bool

    /// Says what the kind's routes can do; a limit of 0 means that there are no batches.
    public init(listing: Listing, batchLimit: Int = 0, fillsPages: Bool = false) {
        self.listing = listing
        self.batchLimit = batchLimit
        self.fillsPages = fillsPages
    }
}
