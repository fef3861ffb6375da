import Synchronization
import TrendyDomain

/// Lets not too many sign-ins of one account pass, from however many addresses they come.
///
/// Sign-ins from an address where somebody has signed in to the account before count apart from all others. So strangers
/// who try out passwords do not keep the owner out where he is known.
final class AccountLimit: Sendable {
    /// How many addresses at which people have signed in are remembered; twice as many at most.
    private static let crowd = 10_000
    /// Longer addresses of e-mail differ in what is not compared, as no account has one.
    private static let longestName = PasswordCredentials.longestEmail

    private struct Known {
        var recent: Set<String> = []
        var older: Set<String> = []

        func contains(_ name: String) -> Bool { recent.contains(name) || older.contains(name) }
    }

    private let limiter: RateLimiter
    private let known = Mutex(Known())

    /// - Parameter limit: Sign-ins a minute of one account from where it is not known, and of one from each address where
    ///   it is; nil for no limit.
    init(limit: Int?, clock: any WallClock) {
        limiter = RateLimiter(limit: limit, clock: clock)
    }

    /// From the next sign-in on, so many a minute are let through; nil for any number.
    func setLimit(_ limit: Int?) { limiter.setLimit(limit) }

    /// Counts a sign-in.
    ///
    /// - Returns: The name under which it counts: that of the account, or of the account at an address where it is known.
    /// - Throws: ``ServerProblem`` of kind `rateLimit`, with the seconds to wait, where it is one too many.
    @discardableResult
    func admit(_ email: String, from address: String) throws -> String {
        let name = Self.name(email, address)
        let isKnown = known.withLock { $0.contains(name) }
        let counted = isKnown ? "known \(name)" : "account \(Self.short(email))"
        try limiter.admit(counted)
        return counted
    }

    /// Takes a note of the address of a sign-in with the right password.
    func remember(_ email: String, from address: String) {
        known.withLock { known in
            known.recent.insert(Self.name(email, address))
            if known.recent.count >= Self.crowd { known = Known(older: known.recent) }
        }
    }

    private static func name(_ email: String, _ address: String) -> String { "\(address) \(short(email))" }

    private static func short(_ email: String) -> String {
        String(decoding: email.utf8.prefix(longestName), as: UTF8.self)
    }
}
