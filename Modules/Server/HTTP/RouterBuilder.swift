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

    /// A known path with a wrong method is 405 and says which would be right, not 404.
    private func refuseOtherMethods(_ router: Router<ServerRequestContext>) {
        for (path, routes) in Dictionary(grouping: routes, by: \.path) {
            let known = routes.map(\.method)
            let allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.methods where !known.contains(method) && !(method == .head && known.contains(.get)) {
                router.on(RouterPath(path), method: method) { _, context in
                    let problem = ServerProblem(
                        .methodNotAllowed, "the route does not take \(method.rawValue), but \(allowed)")
                    var response = Response(problem, requestId: context.requestId)
                    response.headers[.allow] = allowed
                    return response
                }
            }
        }
    }

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ]
}
