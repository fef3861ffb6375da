import Foundation
import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handlers of one kind's routes.
struct RecordHandlers: Sendable {
    let route: RecordRoute
    let records: RecordService
    let limits: ServerConfiguration.Limits
    let blocking: BlockingWork

    private var type: EntityType { route.kind.entityType }

    var routes: [Route] {
        let item = "\(basePath)/\(route.itemPath)/{id}"
        var routes = [
            Route(.get, route.listPath) { try await list($0, $1) },
            Route(.post, route.listPath) { try await create($0, $1) },
            Route(.get, item) { try await get($0, $1) },
            Route(.put, item) { try await update($0, $1) },
            Route(.delete, item) { try await delete($0, $1) },
        ]
        if let member = route.batchMember {
            routes.append(Route(.post, "\(route.listPath)/batch") { try await batch($0, $1, member) })
        }
        return routes
    }

    private func list(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let limit = try request.number("limit", from: 1, to: Int64(route.paging.maximum)).map { Int($0) }
        let offset = try request.number("offset", from: 0, to: Int64(Int32.max)) ?? 0
        let isActive = route.hasActiveFilter ? try request.flag("active") : nil
        let scope = try scope(context)
        let json = try await blocking.read { [records, type, paging = route.paging] in
            try records.list(
                type, userId: userId, limit: limit ?? paging.standard, offset: Int(offset), beneath: scope,
                isActive: isActive)
        }
        return Response(json: json)
    }

    private func create(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let write = try writeContext(request, context)
        let scope = try scope(context)
        let body = try await request.json(upTo: limits.bodySize, context)
        return try await perform(body.count) { [records, type] in
            try records.prepareCreate(type, body, beneath: scope, write)
        }
    }

    private func batch(
        _ request: Request, _ context: ServerRequestContext, _ member: String
    ) async throws -> Response {
        let write = try writeContext(request, context)
        let body = try await request.json(upTo: limits.batchSize, context)
        return try await perform(body.count) { [records, type] in
            try records.prepareBatch(type, body, member: member, write)
        }
    }

    private func get(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let id = try context.requireId()
        return Response(
            json: try await blocking.read { [records, type] in
                try records.get(type, id: id, userId: userId)
            })
    }

    private func update(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let write = try writeContext(request, context)
        let id = try context.requireId()
        let body = try await request.json(upTo: limits.bodySize, context)
        return try await perform(body.count) { [records, type] in
            try records.prepareUpdate(type, id: id, body, write)
        }
    }

    private func delete(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let write = try writeContext(request, context)
        let id = try context.requireId()
        return try await perform(0) { [records, type] in
            try records.prepareDelete(type, id: id, write)
        }
    }

    /// Prepares a write beside all others, and then has it wait for its turn.
    ///
    /// - Parameter size: The bytes of its body.
    private func perform(
        _ size: Int, _ prepare: @escaping @Sendable () throws -> PreparedWrite<WriteReply>
    ) async throws -> Response {
        Response(try await blocking.commit(try await blocking.prepare(size, prepare)))
    }

    private func scope(_ context: ServerRequestContext) throws -> ParentScope? {
        guard let nesting = route.nesting else { return nil }
        let parent = try RecordService.key(nesting.parentType, context.requireId())
        return ParentScope(field: nesting.field, parent: parent)
    }

    private func writeContext(_ request: Request, _ context: ServerRequestContext) throws -> WriteContext {
        WriteContext(
            userId: try context.requireUser().userId,
            idempotencyKey: request.headers.value(HeaderName.idempotencyKey))
    }
}
