import TrendySync

extension PlantedBug {
    static let outOfOrderFeedBugs = [feedIsNotReadAgain, feedSettlesAtOnce]

    /// The young stretch of the feed is not read again.
    private static let feedIsNotReadAgain = PlantedBug(
        name: "feed overlap is removed", promise: .outOfOrderFeeds, knownSeed: 71, needs: [.slowCommit],
        configure: { $0.feedOverlap = 0 }, plant: { _ in .store { WithoutWindow($0) } })

    /// A change counts as settled as soon as it was seen, also where the clock was set back meanwhile.
    private static let feedSettlesAtOnce = PlantedBug(
        name: "feed settles at once", promise: .outOfOrderFeeds, knownSeed: 71, needs: [.slowCommit],
        configure: { $0.feedSettlingTime = -86_400_000 })
}
