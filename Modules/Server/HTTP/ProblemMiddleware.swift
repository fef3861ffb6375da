import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import TrendyDomain

/// Names each request, and writes whatever goes wrong as problem+json. Nobody on the way may keep an answer: each is one
/// person's (RFC 9111, section 5.2.2.5).
///
/// Where the server fails, the log has why, with the name of the request.
struct ProblemMiddleware: RouterMiddleware {
    let names: RequestName
    let clientAddress: ClientAddress
    let budgets: MemoryBudgets
    let logger: Logger

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.client = clientAddress.limitKey(peer: context.remoteAddress, request.headers)
        context.requestId = names.name(request, from: context.remoteAddress)
        let memory = budgets.makeRequestMemory()
        context.memory = memory
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let problem = Self.problem(error, request)
            if problem.kind.status >= 500 { tell(problem, error, context) }
            response = Response(problem, requestId: context.requestId)
        }
        response.headers.set(HeaderName.requestId, context.requestId)
        response.headers[.cacheControl] = "no-store"
        if memory.answer.isUsed { response.body = response.body.holding(memory.answer) }
        return response
    }

    private func tell(_ problem: ServerProblem, _ error: any Error, _ context: ServerRequestContext) {
        var details: Logger.Metadata = [
            "id": .string(context.requestId), "status": .stringConvertible(problem.kind.status),
        ]
        details["error"] = .string(error is ServerProblem ? problem.detail : "\(error)")
        if let cause = problem.cause { details["cause"] = .string(cause) }
        logger.error("request failed", metadata: details)
    }

    private static func problem(_ error: any Error, _ request: Request) -> ServerProblem {
        switch error {
        case let problem as ServerProblem: problem
        case is NIOTooManyBytesError: ServerProblem(.tooLarge, "the body is too large")
        case let error as any HTTPResponseError: problem(error.status, request)
        default: ServerProblem(.internal, "the server failed; the log says more under this request's id")
        }
    }

    private static func problem(_ status: HTTPResponse.Status, _ request: Request) -> ServerProblem {
        switch status.code {
        case 404: ServerProblem(.notFound, "there is no route \(request.uri.path)")
        case 401: ServerProblem(.unauthorized, "sign in first")
        case 405: ServerProblem(.methodNotAllowed, "the route does not take \(request.method)")
        case 413: ServerProblem(.tooLarge, "the body is too large")
        case 400..<500: ServerProblem(.badRequest, "the request cannot be read")
        default: ServerProblem(.internal, "the server failed; the log says more under this request's id")
        }
    }
}
