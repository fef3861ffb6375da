extension PlantedBug {
    /// Every planted bug, in the order of the promises that name them.
    public static let all: [PlantedBug] =
        durableBugs + exactlyOnceBugs + nothingVanishesBugs + orderBugs + cursorBugs + noResurrectionBugs + rebaseBugs
        + convergenceBugs + bootstrapBugs + singleFlightBugs + politeBugs + cancellableBugs + signedOutBugs
        + outOfOrderFeedBugs + followingBugs + copyBugs + lostHistoryBugs
}
