/// The least data and the least certainty for an insight of ``StatisticalInsightGenerator``.
public struct InsightThresholds: Sendable, Hashable {
    /// The number of days that are compared, up to yesterday; 364 by default, 52 weeks.
    public var window = 364
    /// The least number of days since the first event of a type; 28 by default, four of each weekday.
    public var minimumDays = 28
    /// The least number of these days with an event of the type; 10 by default.
    public var minimumLoggedDays = 10
    /// The least number of days with a value of a property; 20 by default.
    public var minimumValueDays = 20
    /// The least number of weeks that the last seven days are compared with; 6 by default.
    public var minimumWeeks = 6
    /// The share of the claims of one kind that may be false on average, and the chance of any claim where there is
    /// nothing to find; 0.01 by default.
    public var falseDiscoveryRate = 0.01
    /// The least strength of a correlation, without its sign; 0.15 by default.
    public var minimumStrength = 0.15
    /// The least factor between the observed and the expected number for a pattern of weekdays; 1.25 by default.
    public var minimumRatio = 1.25
    /// The least length of a streak; 3 by default.
    public var minimumStreak = 3
    /// The largest number of types that are compared with each other, and of properties with them; 60 by default, which
    /// are 1770 pairs. Those with the most days are compared.
    public var maximumComparedTypes = 60

    /// The thresholds of `Docs/Insights.md`.
    public init() {}
}
