import HTTPTypes
import Hummingbird
import Logging
import TrendyDomain

/// Makes the router from the list of all routes.
struct RouterBuilder {
    let routes: [Route]
    let metrics: MetricsMiddleware
    let accessLog: AccessLog
    let problems: ProblemMiddleware
    let authentication: BearerAuthentication
    let addressLimit: AddressLimit

    func build() -> Router<ServerRequestContext> {
        let router = Router(context: ServerRequestContext.self)
        router.add(middleware: HeadMiddleware())
        router.add(middleware: metrics)
        router.add(middleware: accessLog)
        router.add(middleware: problems)
        router.add(middleware: UnknownMethods(known: Set(Self.methods), routes: routes))
        let open = router.group()
        let signIn = router.group().add(middleware: addressLimit)
        let user = router.group().add(middleware: authentication)
        let password = router.group().add(middleware: addressLimit).add(middleware: authentication)
        for route in routes {
            let group =
                switch route.access {
                case .open: open
                case .signIn: signIn
                case .user: user
                case .password: password
                }
            group.on(RouterPath(route.path), method: route.method, use: route.handler)
            if route.method == .get { group.on(RouterPath(route.path), method: .head, use: route.handler) }
        }
        refuseOtherMethods(router)
        return router
    }

    private func refuseOtherMethods(_ router: Router<ServerRequestContext>) {
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            let known = routes.map(\.method)
            for method in Self.methods where !known.contains(method) && !(method == .head && known.contains(.get)) {
                router.on(RouterPath(path), method: method) { _, context in
                    Response(refusing: method, allowed: known, requestId: context.requestId)
                }
            }
        }
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ]
}

/// Answers 405 to methods that the router does not know, on paths that it knows.
private struct UnknownMethods: RouterMiddleware {
    let known: Set<HTTPRequest.Method>
    let routes: [Route]

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        if known.contains(request.method) { return try await next(request, context) }
        let parts = Self.parts(request.uri.path)
        let allowed = routes.filter { Self.matches(parts, Self.parts($0.path)) }.map(\.method)
        if allowed.isEmpty { return try await next(request, context) }
        return Response(refusing: request.method, allowed: allowed, requestId: context.requestId)
    }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") as [Substring] }

    private static func matches(_ path: [Substring], _ route: [Substring]) -> Bool {
        path.count == route.count && zip(path, route).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }
}

extension Response {
    /// A known path with a wrong method is 405 and says which would be right, not 404.
    fileprivate init(refusing method: HTTPRequest.Method, allowed: [HTTPRequest.Method], requestId: String) {
        let allowed = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        self.init(
            ServerProblem(.methodNotAllowed, "the route does not take \(method.rawValue), but \(allowed)"),
            requestId: requestId)
        headers[.allow] = allowed
    }
}
