import TrendySync

extension PlantedBug {
    static let outOfOrderFeedBugs = [feedIsNotReadAgain]

    /// The young stretch of the feed is not read again.
    private static let feedIsNotReadAgain = PlantedBug(
        name: "feed overlap is removed", promise: .outOfOrderFeeds, knownSeed: 553, needs: [.slowCommit],
        configure: { $0.feedOverlap = 0 })
}
