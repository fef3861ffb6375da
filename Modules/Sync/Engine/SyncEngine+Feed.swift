public import TrendyDomain

extension SyncEngine {
    /// Asks for a page of the feed as the next sync will, and takes nothing of it; it throws what that sync will meet.
    public func askForNextPage() async throws {
        let cursor = try FeedWindow.stored(in: stores.makeDataStore()).settled
        let limit = configuration.changesPerPage
        let client = networkClient
        _ = try await underBreaker { try await client.getChanges(since: cursor, limit: limit) }
    }

    /// The beginning of the sentence by which a sync ends to which the server refuses its feed for good.
    public static let refusedFeed = "the server refuses the changes after"
}

extension APIError {
    /// Whether a server that refuses a page of the feed so will refuse it the next time, too.
    public var refusesFeedForGood: Bool {
        guard case .http(let status, _) = self else { return false }
        return [400, 404, 410, 422].contains(status)
    }
}
