import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
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
        let listing = try records.listing(
            type, userId: userId, limit: limit ?? route.paging.standard, offset: Int(offset), beneath: scope,
            isActive: isActive)
        let room = context.answerRoom
        let whole = try await blocking.readPage { [records] () -> Data? in
            let first = try records.next(of: listing)
            // What is held does not grow with the pieces that follow.
            try room.take(first.rest.isAtEnd ? first.piece.count : 2 * RecordListing.byteLimit)
            return first.rest.isAtEnd ? first.piece : nil
        }
        if let whole { return Response(json: whole) }
        // The first piece is read again, rather than held until the last one is sent.
        let body = ResponseBody { [records, blocking] writer in
            var rest = listing
            while !rest.isAtEnd {
                let next = try await blocking.readPage { [rest] in
                    let next = try records.next(of: rest)
                    return (buffer: ByteBuffer(bytes: next.piece), rest: next.rest)
                }
                rest = next.rest
                try await writer.write(contentsOf: next.buffer.pieces)
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/json"], body: body)
    }

    private func create(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let write = try writeContext(request, context)
        let scope = try scope(context)
        let body = try await request.json(upTo: limits.bodySize, context)
        return try await perform(body.count, context) { [records, type] in
            try records.prepareCreate(type, body, beneath: scope, write)
        }
    }

    private func batch(
        _ request: Request, _ context: ServerRequestContext, _ member: String
    ) async throws -> Response {
        let write = try writeContext(request, context)
        let body = try await request.json(upTo: limits.batchSize, context)
        return try await perform(body.count, context) { [records, type] in
            try records.prepareBatch(type, body, member: member, write)
        }
    }

    private func get(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let id = try context.requireId()
        let room = context.answerRoom
        return Response(
            json: try await blocking.readPage { [records, type] in
                let json = try records.get(type, id: id, userId: userId)
                try room.take(json.count)
                return json
            })
    }

    private func update(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let write = try writeContext(request, context)
        let id = try context.requireId()
        let body = try await request.json(upTo: limits.bodySize, context)
        return try await perform(body.count, context) { [records, type] in
            try records.prepareUpdate(type, id: id, body, write)
        }
    }

    private func delete(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let write = try writeContext(request, context)
        let id = try context.requireId()
        return try await perform(0, context) { [records, type] in
            try records.prepareDelete(type, id: id, write)
        }
    }

    /// Prepares a write beside all others, and then has it wait for its turn.
    ///
    /// - Parameter size: The bytes of its body.
    private func perform(
        _ size: Int, _ context: ServerRequestContext,
        _ prepare: @escaping @Sendable () throws -> PreparedWrite<WriteReply>
    ) async throws -> Response {
        let room = context.answerRoom
        let write = try await blocking.prepare(size, prepare)
        return Response(try await blocking.commit(write.holding { try room.take($0.document?.count ?? 0) }))
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
