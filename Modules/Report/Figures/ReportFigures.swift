package import TrendyDomain
package import TrendyNotation
import TrendyTerminal

/// All figures of a report.
@MainActor
package struct ReportFigures {
    /// The figures of one type.
    package struct OfType {
        package let type: EventType
        package let face: TypeFace
        /// The events that count.
        package let tally: EventTally
        /// The days of all events, those before the report's first day too.
        package let allDays: DayCounts
        /// The days that the events are on, for the calendars.
        package let presence: Presence
        package let streaks: Streaks
        /// The trend of the number of events, then those of each property.
        package let trends: [TrendReport]

        /// The name of the type on one line.
        package var name: String { face.name }
        /// The colour of the type, or that of what has none.
        var color: ThemeColor { ThemeColor(face.color ?? ReportStyle.accent) }

        package init(
            type: EventType, face: TypeFace, tally: EventTally, allDays: DayCounts, presence: Presence,
            streaks: Streaks, trends: [TrendReport]
        ) {
            self.type = type
            self.face = face
            self.tally = tally
            self.allDays = allDays
            self.presence = presence
            self.streaks = streaks
            self.trends = trends
        }
    }

    package let scope: ReportScope
    package let zone: LocalZone
    package let now: Timestamp
    /// The types that have events that count, the most frequent first.
    package let types: [OfType]
    /// The events of all types that count.
    package let tally: EventTally
    /// The days that the events of all types are on, for the calendars.
    package let presence: Presence
    package let insights: [Insight]
    /// All events, those before the report's first day too; nil where there are none.
    package let everything: EventDays?
    /// The query in words; nil for all events.
    private let choice: String?
    /// Whether the query has conditions besides types and times.
    private let isSpecial: Bool

    package init(
        scope: ReportScope, zone: LocalZone, now: Timestamp, types: [OfType], tally: EventTally, presence: Presence,
        insights: [Insight], everything: EventDays?, choice: String? = nil, isSpecial: Bool = false
    ) {
        self.scope = scope
        self.choice = choice
        self.isSpecial = isSpecial
        self.zone = zone
        self.now = now
        self.types = types
        self.tally = tally
        self.presence = presence
        self.insights = insights
        self.everything = everything
    }

    /// The message if no event counts; nil if some do.
    package var empty: EmptyPeriod? {
        guard types.isEmpty else { return nil }
        return EmptyPeriod(
            name: choice, isSpecial: isSpecial, stretch: CountWindow.stretch(scope.since, nil, zone),
            others: everything,
            option: everything.map { "'trendy report --since \($0.first)'" })
    }
}
