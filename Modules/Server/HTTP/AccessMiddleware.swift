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

/// Lets not too many sign-ups and wrong passwords of one address pass: passwords cannot be tried out.
///
/// Who signs in with the right password has tried out nothing. So he takes nothing from those who share his address.
struct AddressLimit: RouterMiddleware {
    let limiter: RateLimiter
    let clientAddress: ClientAddress

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: @concurrent (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let address = clientAddress.limitKey(peer: context.remoteAddress, request.headers)
        try limiter.admit(address)
        let response = try await next(request, context)
        if response.status == .ok { limiter.giveBack(address) }
        return response
    }
}
