import TrendyDomain

/// What a device remembers of a server that refuses the route for the exchange, until it answers there.
///
/// The refusal says little: during a deployment, or behind a proxy that is set up wrongly, a route is missing for a
/// while. So a device that has used the exchange waits for it, and one that uses the older routes asks for it again.
struct ExchangeAbsence: Codable, Hashable, Sendable {
    /// Where a device stood in the exchange.
    struct Former: Codable, Hashable, Sendable {
        var epoch: String
        var cursor: String
    }

    /// When the first refusal came.
    private(set) var since: Timestamp
    /// When the latest came.
    private(set) var latest: Timestamp
    /// For how long it has been seen, in seconds: the times between refusals, of which none counts for more than
    /// ``longestGap``. The device does not know whether the route was there in between.
    private(set) var seen: Double? = 0
    /// Where the device stood when it changed to the older routes; nil if it has never used the exchange. If the server
    /// comes back, the device goes on from there.
    var former: Former?
    /// What the server has called itself when it refused, the latest last. There can be several names: what is in front
    /// of a server has one of its own.
    private(set) var products: [String]?
    /// What it has called itself since, if that is new: perhaps another version, which has the route.
    private(set) var news: String?

    /// For how long a device that has used the exchange waits for it, in seconds.
    static let patience = 86_400.0
    /// What one time between refusals counts for at most, in seconds. So neither a jump of a clock nor two short outages
    /// with a weekend between them last.
    static let longestGap = 43_200.0
    /// The longest time between two questions, in seconds.
    static let longestPause = 86_400.0
    /// How many names are remembered.
    static let mostProducts = 8

    init(at now: Timestamp) { (since, latest) = (now, now) }

    mutating func refused(at now: Timestamp) {
        seen = (seen ?? 0) + min(max(0, now.seconds(since: latest)), Self.longestGap)
        // A clock that was ahead is right by now.
        (since, latest) = (min(since, now), now)
    }

    /// Remembers what the server calls itself: that version has no such route.
    mutating func refused(as product: String?) {
        for name in [news, product].compactMap({ $0 }) where !isKnown(name) {
            products = Array(((products ?? []) + [name]).suffix(Self.mostProducts))
        }
        news = nil
    }

    /// Takes in what the server calls itself.
    ///
    /// - Returns: Whether that is new.
    mutating func hears(_ product: String) -> Bool {
        guard product != news, !isKnown(product) else { return false }
        news = product
        return true
    }

    private func isKnown(_ product: String) -> Bool { products?.contains(product) ?? false }

    /// Whether it has lasted so long that the server must be another one.
    var isLasting: Bool { (seen ?? 0) >= Self.patience }

    /// Whether to ask again: after a quarter of the time that it has lasted, each day, and where the server calls itself
    /// something new.
    func isDue(at now: Timestamp) -> Bool {
        if news != nil { return true }
        let pause = now.seconds(since: latest)
        // The clock may have been set back.
        return pause < 0 || pause >= min((seen ?? 0) / 4, Self.longestPause)
    }
}

extension DataStoreProtocol {
    func exchangeAbsence() throws -> ExchangeAbsence? {
        try value(ExchangeAbsence.self, for: MetadataKey.exchangeAbsence)
    }
}
