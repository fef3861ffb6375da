import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Synchronization

/// Logs one line for each request, at level info.
///
/// A line has the method, the pattern of the route, the status, how long it took until the head of the answer was ready,
/// the bytes of the body where they are known by then, and the request's id. It has no path, query, header or body: those
/// may hold what people have written. An account is told by a part of a hash, so that its requests can be found together.
struct AccessLog: RouterMiddleware {
    let logger: Logger
    /// The paths of the routes.
    let paths: Set<String>

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        if logger.logLevel <= .info {
            logger.info("request", metadata: details(of: request, response, context, since: start))
        }
        return response
    }

    private func details(
        of request: Request, _ response: Response, _ context: ServerRequestContext, since start: ContinuousClock.Instant
    ) -> Logger.Metadata {
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        var details: Logger.Metadata = [
            "id": .string(response.headers.value(HeaderName.requestId) ?? ""),
            "method": .string(request.method.rawValue), "route": .string(context.route(among: paths)),
            "status": .stringConvertible(response.status.code),
            "ms": .stringConvertible((milliseconds * 10).rounded() / 10),
        ]
        if let bytes = response.body.contentLength { details["bytes"] = .stringConvertible(bytes) }
        if let userId = context.trace.userId { details["account"] = .string(Self.tag(of: userId)) }
        return details
    }

    /// Eight digits that are the same for each request of an account, and do not tell which it is.
    static func tag(of userId: String) -> String {
        SHA256.hash(data: Data(userId.utf8)).prefix(4).map {
            $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16)
        }
        .joined()
    }
}

/// What is found out about a request while it is answered.
final class RequestTrace: Sendable {
    private let user = Mutex<String?>(nil)

    /// The account whose token came with it.
    var userId: String? {
        get { user.withLock { $0 } }
        set { user.withLock { $0 = newValue } }
    }
}
