/// How much data it takes before ``StatisticalInsightGenerator`` says something, and how sure it must be.
public struct InsightThresholds: Sendable, Hashable {
    /// How many days are looked at for what compares days, up to yesterday; 364 by default, 52 weeks.
    public var window = 364
    /// Since how many days a type must have been logged; 28 by default, four of each weekday.
    public var minimumDays = 28
    /// On how many days of those it must have been logged; 10 by default.
    public var minimumLoggedDays = 10
    /// On how many days a property must have a value before it is compared with the events of those days; 20 by default.
    public var minimumValueDays = 20
    /// With how many weeks before the last seven days are compared at least; 6 by default.
    public var minimumWeeks = 6
    /// How many of the claims of one kind may be false on average, and how likely any is made where nothing is to be
    /// found; 0.01 by default.
    public var falseDiscoveryRate = 0.01
    /// The smallest strength of a correlation that is named, −1 to 1 without the sign; 0.15 by default.
    public var minimumStrength = 0.15
    /// By which factor something must be more frequent than expected, or rarer, for a pattern of weekdays to be named;
    /// 1.25 by default.
    public var minimumRatio = 1.25
    /// How many days in a row are worth a sentence; 3 by default.
    public var minimumStreak = 3
    /// How many types are compared with each other, and how many properties with them, those with the most days; 60 by
    /// default, which are 1770 pairs.
    public var maximumComparedTypes = 60

    /// The thresholds of `Docs/Insights.md`.
    public init() {}
}
