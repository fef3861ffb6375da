import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handlers of the change feed, and of what else a client asks before it syncs.
struct FeedHandlers: Sendable {
    /// Entries of a page of the feed: where the request does not say, and at most.
    static let standardLimit: Int64 = 100
    static let largestLimit: Int64 = 500

    let records: RecordService
    let blocking: BlockingWork

    private struct Cursor: Encodable {
        var cursor: Int64
    }

    var routes: [Route] {
        [
            Route(.get, "\(basePath)/changes") { try await changes($0, $1) },
            Route(.get, "\(basePath)/changes/latest-cursor") { _, context in try await latestCursor(context) },
            Route(.get, "\(basePath)/me/sync") { _, context in try await summary(context) },
        ]
    }

    private func changes(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let cursor = try request.number("since", from: 0) ?? 0
        let limit = try request.number("limit", from: 1, to: Self.largestLimit) ?? Self.standardLimit
        let room = context.answerRoom
        return Response(
            json: try await blocking.readPage { [records] in
                let json = try records.changes(userId: userId, since: cursor, limit: Int(limit))
                try room.take(json.count)
                return json
            })
    }

    private func latestCursor(_ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        let cursor = try await blocking.read { [records] in try records.latestCursor(userId: userId) }
        return try Response(encoding: Cursor(cursor: cursor))
    }

    private func summary(_ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        return try Response(encoding: await blocking.read { [records] in try records.summary(userId: userId) })
    }
}
