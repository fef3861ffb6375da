import HTTPTypes
import Hummingbird

/// Answers HEAD as GET is answered, without the body (RFC 9110, section 9.3.2): bytes after the head would be
/// taken for the next answer.
struct HeadMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        return request.method == .head ? response.createHeadResponse() : response
    }
}
