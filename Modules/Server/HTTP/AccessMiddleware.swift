import Hummingbird

/// Lets only requests with a valid access token pass, and not too many of one user.
struct BearerAuthentication: RouterMiddleware {
    let accounts: AccountService
    let limiter: RateLimiter
    let blocking: BlockingWork

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let token = try request.bearerToken()
        let user = try await blocking.read { [accounts] in try accounts.authenticate(token) }
        context.trace.userId = user.userId
        try limiter.admit(user.userId)
        var context = context
        context.user = user
        return try await next(request, context)
    }
}

/// Lets not too many requests of one address pass: passwords and tokens cannot be tried out.
struct AddressLimit: RouterMiddleware {
    let limiter: RateLimiter

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        try limiter.admit(context.remoteAddress)
        return try await next(request, context)
    }
}
