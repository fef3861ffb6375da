public import TrendyDomain

/// An answer without content.
private struct Nothing: Codable {}

/// The answer to a deletion.
private struct Deletion: Codable {
    var isReplayed: Bool
}

extension MockNetworkClient {
    /// Answers as the script says; otherwise all is well.
    public func checkHealth() async throws {
        _ = try await answer(MockCall(.checkHealth)) { _ in Nothing() }
    }

    /// Answers as the script says, otherwise with the moment of the mock server's clock.
    public func serverTime() async throws -> Timestamp? {
        try await answer(MockCall(.serverTime)) { $0.now }
    }

    /// Answers as the script says, otherwise with a page of the mock server's records.
    public func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity> {
        var call = MockCall(.list, type.entityType)
        call.list = request
        return try await answer(call) { try $0.page(type, request) }
    }

    /// Answers as the script says, otherwise with the mock server's record.
    public func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>? {
        var call = MockCall(.get, type.entityType)
        call.entityIds = [id]
        return try await answer(call) { mock in
            try mock.server.find(type.entityType, id).map { try WireCoding.value(Remote<Entity>.self, from: $0) }
        }
    }

    /// Answers as the script says; otherwise the mock server keeps the record.
    public func create<Entity: SyncEntity>(
        _ request: CreateRequest<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> {
        var call = MockCall(.create, Entity.entityType)
        call.entityIds = [request.entity.id]
        call.idempotencyKey = idempotencyKey
        call.body = .object(try WireCoding.fields(of: request))
        return try await answer(call) { mock in
            try mock.once(call) { try mock.server.create(request.entity, at: mock.now) }
        }
    }

    /// Answers as the script says; otherwise the mock server keeps the records.
    public func createBatch<Entity: SyncEntity>(
        _ requests: [CreateRequest<Entity>], idempotencyKey: String?
    ) async throws -> BatchCreateResponse<Entity> {
        var call = MockCall(.createBatch, Entity.entityType)
        call.entityIds = requests.map(\.entity.id)
        call.idempotencyKey = idempotencyKey
        call.body = .array(try requests.map { .object(try WireCoding.fields(of: $0)) })
        return try await answer(call) { mock in
            try mock.once(call) { try mock.createEach(requests) }
        }
    }

    /// Answers as the script says; otherwise the mock server changes the record.
    public func update<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> {
        var call = MockCall(.update, type.entityType)
        call.entityIds = [id]
        call.idempotencyKey = idempotencyKey
        call.body = .object(patch.changes)
        return try await answer(call) { mock in
            try mock.once(call) { try mock.server.update(type, id: id, patch, at: mock.now) }
        }
    }

    /// Answers as the script says; otherwise the mock server deletes the record.
    @discardableResult
    public func delete<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, idempotencyKey: String?
    ) async throws -> Bool {
        var call = MockCall(.delete, type.entityType)
        call.entityIds = [id]
        call.idempotencyKey = idempotencyKey
        return try await answer(call) { mock in
            var answer = Deletion(isReplayed: true)
            let _: Nothing = try mock.once(call) {
                try mock.server.delete(type.entityType, id: id, at: mock.now)
                answer.isReplayed = false
                return Nothing()
            }
            return answer
        }.isReplayed
    }

    /// Answers as the script says, otherwise with a page of the mock server's feed.
    public func getChanges(since cursor: Int64, limit: Int) async throws -> ChangeFeedResponse {
        var call = MockCall(.getChanges)
        call.cursor = cursor
        call.limit = limit
        return try await answer(call) { mock in
            let newer = mock.server.feed.filter { $0.id > cursor }
            let page = Array(newer.prefix(max(1, min(limit, Self.feedPageLimit))))
            return ChangeFeedResponse(
                changes: page, nextCursor: page.last?.id ?? cursor, hasMore: newer.count > page.count)
        }
    }

    /// Answers as the script says, otherwise with the end of the mock server's feed.
    public func getLatestCursor() async throws -> Int64 {
        try await answer(MockCall(.getLatestCursor)) { $0.server.feed.last?.id ?? 0 }
    }

    /// Answers as the script says, otherwise as the server of the exchange; 404 where there is none.
    public func exchange(_ request: SyncRequest) async throws -> SyncResponse {
        var call = MockCall(.exchange)
        call.exchange = request
        return try await answer(call) { mock in
            guard let server = mock.exchangeServer else { throw APIError.noExchange }
            return try server.exchange(request)
        }
    }

    /// Tells what ``heads`` tells.
    public nonisolated func watchHeads(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws {
        try await heads.watch(receive)
    }

    /// Refuses requests that a server refuses by its routes alone: of a kind that it does not have, or of a batch
    /// that it does not offer.
    func refuseUnknownRoute(_ call: MockCall) throws {
        guard let type = call.entityType else { return }
        guard schema.type(for: type) != nil else {
            throw MockServer.refusal(404, "not_found", "there is no route for records of the kind \(type)")
        }
        guard call.operation == .createBatch else { return }
        let limit = capabilities(of: type).batchLimit
        guard limit > 0 else {
            throw MockServer.refusal(404, "not_found", "there is no route for batches of \(type.displayName) records")
        }
        let count = call.entityIds.count
        guard (1...limit).contains(count) else {
            throw MockServer.refusal(400, "validation", "a batch has 1 to \(limit) records, not \(count)")
        }
    }

    /// The most changes in one page, as the contract has it.
    private static let feedPageLimit = 500

    private func page<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) throws -> ListPage<Entity> {
        var records = server.all(type.entityType)
        var limit = request.limit
        switch capabilities(of: type.entityType).listing {
        case .whole: limit = .max
        case .paged(let most): limit = min(limit, most)
        case .perParent(let parent):
            let id = request.parentId ?? ""
            guard server.find(parent, id) != nil else { throw MockServer.notFound(parent, id) }
            let field = type.parents.first { $0.entityType == parent }?.field
            records = records.filter { record in field.map { record[$0] } == .string(id) }
            limit = .max
        }
        if request.activeOnly { records = records.filter { $0["is_active"] == .boolean(true) } }
        let rest = records.dropFirst(max(0, request.offset)).prefix(max(0, min(limit, listCap ?? .max)))
        return ListPage(records: try rest.map { try WireCoding.value(Remote<Entity>.self, from: $0) })
    }

    private func createEach<Entity: SyncEntity>(
        _ requests: [CreateRequest<Entity>]
    ) throws -> BatchCreateResponse<Entity> {
        var response = BatchCreateResponse<Entity>(created: [])
        for (index, request) in requests.enumerated() {
            do {
                let fields = try server.create(request.entity, at: now)
                response.created.append(try WireCoding.value(Remote<Entity>.self, from: fields))
            } catch let error as APIError {
                response.errors.append(BatchError(index: index, message: error.description))
            }
        }
        return BatchCreateResponse(created: response.created, errors: response.errors, total: requests.count)
    }

    /// Does the work of a call, or replays the answer that its idempotency key got before.
    private func once<Stored: Encodable, Answer: Decodable>(_ call: MockCall, _ work: () throws -> Stored) throws
        -> Answer
    {
        let scope = "\(call.operation) \(call.entityType ?? "") \(call.entityIds.joined(separator: ","))"
        let request = call.body ?? .null
        if let stored = try server.reply(key: call.idempotencyKey, scope: scope, request: request) {
            return try WireCoding.decode(Answer.self, from: WireCoding.encode(stored))
        }
        let bytes = try WireCoding.encode(work())
        let json = try WireCoding.decode(JSONValue.self, from: bytes)
        server.keepReply(json, key: call.idempotencyKey, scope: scope, request: request)
        return try WireCoding.decode(Answer.self, from: bytes)
    }
}
