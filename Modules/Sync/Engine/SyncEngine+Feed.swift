public import TrendyDomain

extension SyncEngine {
    /// Asks whether the feed can be read on from where this device is, and takes nothing of it.
    ///
    /// - Throws: What the server answers; see ``TrendyDomain/APIError/refusesFeedForGood``.
    public func askForNextPage() async throws {
        let cursor = try FeedWindow.stored(in: stores.makeDataStore()).settled
        let client = networkClient
        _ = try await underBreaker { try await client.getChanges(since: cursor, limit: 1) }
    }
}

extension APIError {
    /// Whether a server that refuses a page of the feed so will refuse it the next time, too.
    public var refusesFeedForGood: Bool {
        guard case .http(let status, _) = self else { return false }
        return [400, 404, 410, 422].contains(status)
    }
}
