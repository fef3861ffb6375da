import TrendyDomain

/// How often people may sign in: each of these is counted by itself.
struct SignInLimits: Sendable {
    /// Sign-ups and wrong passwords of each address.
    let ofAddresses: RateLimiter
    /// Sign-ins of each account.
    let ofAccounts: AccountLimit
    /// Refreshes of each sign-in: people behind one address do not wait for each other.
    let ofRefreshes: RateLimiter

    /// - Parameter limit: Of each so many a minute; nil for any number.
    init(_ limit: Int?, clock: any WallClock) {
        ofAddresses = RateLimiter(limit: limit, clock: clock)
        ofAccounts = AccountLimit(limit: limit, clock: clock)
        ofRefreshes = RateLimiter(limit: limit, clock: clock)
    }

    /// From now on so many a minute are let through; nil for any number.
    func set(_ limit: Int?) {
        ofAddresses.setLimit(limit)
        ofAccounts.setLimit(limit)
        ofRefreshes.setLimit(limit)
    }
}
