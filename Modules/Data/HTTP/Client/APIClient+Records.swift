public import TrendyDomain

extension APIClient {
    /// Asks the server for a page of a kind's records.
    ///
    /// A list that is said to be in one piece, or beneath a parent, is asked for without parameters. Behind its
    /// beginning it is asked for with the contract's `offset`, because the server may divide it all the same.
    public func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> ListPage<Entity> {
        let routes = try recordRoutes(type.entityType)
        var outgoing = APIRequest(.get, try collectionPath(routes, parentId: request.parentId))
        if routes.nesting == nil, case .offset(let most, let limitName, let offsetName) = routes.paging {
            outgoing.query.append((limitName, String(max(1, min(request.limit, most)))))
            outgoing.query.append((offsetName, String(max(0, request.offset))))
        }
        if request.offset > 0, routes.nesting != nil || routes.paging == .whole {
            outgoing.query.append(("offset", String(request.offset)))
        }
        if request.activeOnly, let name = routes.activeParameter { outgoing.query.append((name, "true")) }
        if routes.nesting == nil, case .token(let most, let limitName, let tokenName, let next) = routes.paging {
            outgoing.query.append((limitName, String(most)))
            return try await follow(outgoing, tokenName, next, mapping: routes.listBody)
        }
        let response = try await send(outgoing)
        return try naming(outgoing) {
            try reader.read(ListPage<Entity>.self, from: response, mapping: routes.listBody)
        }
    }

    /// Asks the server for one record; none where it has no such record.
    public func get<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws -> Remote<Entity>? {
        let routes = try recordRoutes(type.entityType)
        let response = try await send(APIRequest(.get, try itemPath(routes, id)))
        do {
            return try reader.read(Remote<Entity>.self, from: response, mapping: routes.recordBody)
        } catch APIError.http(status: 404, _) {
            return nil
        }
    }

    /// Sends a new record; the same key again makes no second one.
    public func create<Entity: SyncEntity>(
        _ request: CreateRequest<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> {
        let routes = try recordRoutes(Entity.entityType)
        let path = try collectionPath(routes, parentId: parentId(of: request.entity, routes))
        let body = try encode(request, mapping: routes.recordBody)
        let response = try await send(APIRequest(.post, path, body: body, idempotencyKey: idempotencyKey))
        return try reader.read(Remote<Entity>.self, from: response, mapping: routes.recordBody)
    }

    /// Sends many new records in one request; the same key again makes no second ones.
    public func createBatch<Entity: SyncEntity>(
        _ requests: [CreateRequest<Entity>], idempotencyKey: String?
    ) async throws -> BatchCreateResponse<Entity> {
        let routes = try recordRoutes(Entity.entityType)
        guard let batch = routes.batch else {
            throw APIError.malformedResponse("there is no batch route for \(Entity.entityType.displayName) records")
        }
        let body = try encode([batch.key: requests], mapping: routes.batchBody)
        var outgoing = APIRequest(.post, batch.path, body: body, idempotencyKey: idempotencyKey)
        // Deployed servers heed no key here: what is made already fails the whole batch.
        outgoing.isRepeatable = false
        let response = try await send(outgoing)
        if response.status == 400, BatchFailure.isBatch(response, mapping: routes.batchBody, reader) {
            return try reader.decode(BatchCreateResponse<Entity>.self, from: response, mapping: routes.batchBody)
        }
        return try reader.read(BatchCreateResponse<Entity>.self, from: response, mapping: routes.batchBody)
    }

    /// Sends the fields that changed, and returns the record as the server has it now.
    public func update<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ patch: Patch<Entity>, idempotencyKey: String?
    ) async throws -> Remote<Entity> {
        let routes = try recordRoutes(type.entityType)
        let mapping = routes.updateBody ?? routes.recordBody
        let body = try encode(patch, mapping: mapping)
        let request = APIRequest(
            routes.updateMethod, try itemPath(routes, id), body: body, idempotencyKey: idempotencyKey)
        return try reader.read(Remote<Entity>.self, from: await send(request), mapping: mapping)
    }

    /// Asks the server to delete a record.
    ///
    /// - Returns: Whether the answer repeats an earlier one, as its header `X-Idempotency-Replayed` says.
    @discardableResult
    public func delete<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, idempotencyKey: String?
    ) async throws -> Bool {
        let path = try itemPath(try recordRoutes(type.entityType), id)
        let response = try await send(APIRequest(.delete, path, idempotencyKey: idempotencyKey))
        try reader.check(response)
        // A body is not needed. But one that is no JSON is not from the server: a captive portal answers 200 to
        // anything.
        if !response.body.isEmpty { _ = try reader.read(JSONValue.self, from: response) }
        return response.header("X-Idempotency-Replayed") == "true"
    }

    private func itemPath(_ routes: RecordRoutes, _ id: String) throws -> String {
        "\(routes.path)/\(try APIRequest.segment(id))"
    }

    private func collectionPath(_ routes: RecordRoutes, parentId: String?) throws -> String {
        guard let nesting = routes.nesting else { return routes.path }
        return nesting.path.replacing("{parent}", with: try APIRequest.segment(parentId ?? ""))
    }

    private func parentId<Entity: SyncEntity>(of entity: Entity, _ routes: RecordRoutes) throws -> String? {
        guard let nesting = routes.nesting else { return nil }
        return try WireCoding.fields(of: entity)[nesting.field]?.stringValue
    }
}

/// Tells a batch of which nothing was made, answered with 400, from a request that was refused as a whole.
private enum BatchFailure {
    private struct Shape: Decodable {
        let errors: [BatchError]
    }

    static func isBatch(_ response: TransportResponse, mapping: BodyMapping?, _ reader: ResponseReader) -> Bool {
        guard ContentType(response.header("Content-Type")).isJSON,
            let shape = try? reader.decode(Shape.self, from: response, mapping: mapping)
        else { return false }
        return !shape.errors.isEmpty
    }
}
