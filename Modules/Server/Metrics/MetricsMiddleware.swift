import HTTPTypes
import Hummingbird

/// Counts each request, and how long it took, by route, method and class of the status.
struct MetricsMiddleware: RouterMiddleware {
    let metrics: ServerMetrics
    /// The paths of the routes: whatever else a client asks for is counted as one.
    let paths: Set<String>

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        metrics.begin()
        let start = ContinuousClock.now
        // What is within answers every error, so that nothing is thrown here but a cancellation.
        var status = 500
        defer {
            let request = ServerMetrics.RequestClass(
                method: Self.methods.contains(request.method) ? request.method.rawValue : "other",
                route: context.route(among: paths), statusClass: status / 100)
            metrics.end(request, after: ContinuousClock.now - start, isRateLimited: status == 429)
        }
        let response = try await next(request, context)
        status = response.status.code
        return response
    }

    private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete]
}

extension ServerRequestContext {
    /// The path of the route with names in place of ids; "none" where the request has found no route.
    func route(among paths: Set<String>) -> String {
        guard let path = endpointPath, paths.contains(path) else { return "none" }
        return path
    }
}
