import TrendyDomain

/// Speaks the exchange to a server that has it, and the older routes to any other.
///
/// Each snapshot begins with the question whether there is an exchange. Afterwards the cursor tells which way it came
/// from, so nothing else has to be remembered.
struct ServerGateway: SyncGateway {
    private let client: any NetworkClientProtocol
    private let rest: RESTGateway
    private let permit: @Sendable () throws -> Void

    /// - Parameters:
    ///   - permit: Asked before each request that follows another within an exchange.
    ///   - refused: Called after a refusal for too many requests, with the seconds of silence that the server asks for,
    ///     if the exchange returns an answer and does not throw that refusal itself.
    init(
        client: any NetworkClientProtocol, stores: any DataStoreFactory, schema: EntitySchema,
        wallClock: any WallClock, identifiers: any IdentifierGenerator,
        permit: @escaping @Sendable () throws -> Void = {},
        refused: @escaping @Sendable (_ retryAfter: Double?) throws -> Void = { _ in }
    ) {
        self.client = client
        self.permit = permit
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
        }
        rest = RESTGateway(
            client: client, schema: schema, wallClock: wallClock, device: device, permit: permit, refused: refused)
    }

    /// The older routes need the device's versions. Before the first answer nobody knows which routes there are.
    func readsDevice(for cursor: String?) -> Bool { cursor.map(RESTCursor.isOne) ?? true }

    /// Those that the gateway to the older routes gives are its own.
    func countsOn(from former: String, in epoch: String) -> Bool { ![former, epoch].contains(RESTCursor.epoch) }

    func exchange(_ request: SyncRequest, unanswered: Set<String>) async throws -> SyncResponse {
        if let cursor = request.cursor {
            if RESTCursor.isOne(cursor) { return try await rest.exchange(request, unanswered: unanswered) }
            do { return try await client.exchange(request) } catch let error as APIError where error.hasNoExchange {
                // If the older routes are there, the server was replaced by one that has only them.
                try permit()
                _ = try await client.getLatestCursor()
                throw APIError.epochChanged("the server has only the older routes now")
            }
        }
        do {
            return try await client.exchange(request)
        } catch let error as APIError where error.hasNoExchange {
            return try await rest.exchange(request, unanswered: unanswered)
        }
    }
}

extension APIError {
    /// Whether a server without the route answers so (RFC 9110: not found, method not allowed, not implemented).
    fileprivate var hasNoExchange: Bool { [404, 405, 501].contains(status ?? 0) }
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
