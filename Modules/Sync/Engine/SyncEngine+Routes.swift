public import TrendyDomain

/// Which routes of its server a device uses.
public struct ServerRoutes: Sendable, Hashable {
    /// Whether it speaks the exchange; false for the older routes.
    public var isExchange: Bool
    /// Since when the server refuses the route for the exchange; nil if it answered there last, or if that is not known.
    ///
    /// A device with the older routes uses them since then. One with the exchange waits for it since then.
    public var refusedSince: Timestamp?

    /// Makes it of its parts.
    public init(isExchange: Bool, refusedSince: Timestamp? = nil) {
        self.isExchange = isExchange
        self.refusedSince = refusedSince
    }
}

extension SyncEngine {
    /// Which routes of its server this device uses; nil before the first answer.
    ///
    /// - Throws: ``StoreError``.
    public nonisolated func routes() throws -> ServerRoutes? {
        let store = try stores.makeDataStore()
        let place = try store.exchangePlace()
        guard let cursor = place.cursor ?? place.proof else { return nil }
        return ServerRoutes(isExchange: !RESTCursor.isOne(cursor), refusedSince: try store.exchangeAbsence()?.since)
    }
}
