import HTTPTypes
import Hummingbird
import NIOCore
import TrendyDomain

/// The handler of the stream that tells a device when there is something to sync.
struct LiveHandlers: Sendable {
    let records: RecordService
    let accounts: AccountService
    let blocking: BlockingWork

    var routes: [Route] {
        [Route(.get, "\(basePath)/sync/live") { try await live($0, $1) }]
    }

    private func live(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let userId = try context.requireUser().userId
        guard Self.accepts(request) else {
            throw ServerProblem(.notAcceptable, "the route answers text/event-stream, which Accept leaves out")
        }
        var response = Response(status: .ok, headers: [.contentType: "text/event-stream"])
        // nginx keeps an answer back until it has 4 or 8 kB of it, unless it is told so.
        response.headers.set("X-Accel-Buffering", "no")
        if request.method == .head { return response }
        let token = try request.bearerToken()
        let channel = context.channel
        let watch = try records.live.watch(userId) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [weak watch] _ in watch?.end() }
        // It is read after the watch has begun, so that no commit falls between the two.
        let head = try await blocking.read { [records] in try records.head(userId: userId) }
        response.body = ResponseBody { [self] writer in
            try await writer.write(Self.event(head))
            var told = head
            while let news = await watch.next() {
                switch news {
                case .head(let head) where head.isNews(after: told):
                    told = head
                    try await writer.write(Self.event(head))
                case .head:
                    continue
                case .heartbeat:
                    guard await isSignedIn(token, as: userId) else { return try await writer.finish(nil) }
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                }
            }
            try await writer.finish(nil)
        }
        return response
    }

    /// Whether the token is still good. A database that cannot say so ends no stream.
    private func isSignedIn(_ token: String, as userId: String) async -> Bool {
        do {
            return try await blocking.read { [accounts] in try accounts.authenticate(token).userId == userId }
        } catch let problem as ServerProblem {
            return problem.kind != .unauthorized
        } catch {
            return true
        }
    }

    private static func event(_ head: ServerHead) throws -> ByteBuffer {
        var buffer = ByteBuffer(string: "event: head\ndata: ")
        buffer.writeBytes(try WireCoding.encode(head))
        buffer.writeString("\n\n")
        return buffer
    }

    /// Whether the client takes an event stream (RFC 9110, section 12.5.1); without the header it takes anything.
    private static func accepts(_ request: Request) -> Bool {
        guard let accept = request.headers[.accept] else { return true }
        return accept.split(separator: ",").contains { range in
            let parts = range.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            guard let type = parts.first, ["*/*", "text/*", "text/event-stream"].contains(type) else { return false }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return weight != 0
        }
    }
}
