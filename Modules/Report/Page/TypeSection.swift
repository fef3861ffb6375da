import TrendyDomain
import TrendyNotation

/// The section of one type.
@MainActor
struct TypeSection {
    let number: Int
    let of: ReportFigures.OfType
    let scope: ReportScope

    init(number: Int, of: ReportFigures.OfType, _ scope: ReportScope) {
        self.number = number
        self.of = of
        self.scope = scope
    }

    private var id: String { TypeName.id(number) }

    var element: HTMLNode {
        .element(
            .section, [.class: "of-type type-\(number)", .ariaLabelledBy: id],
            [
                .element(.h2, [.id: id], [TypeName.label(of)]), facts,
                .element(.div, [.class: "grid"], trends + counts + calendars),
            ])
    }

    private var facts: HTMLNode {
        let days = of.tally.days
        let now = of.streaks.current.map { counted($0.length, "day") }
        return FactList.element(
            [
                (days.total == 1 ? "event" : "events", FigureText.text(days.total)),
                (
                    days.loggedDays.count == 1 ? "day with events" : "days with events",
                    FigureText.text(days.loggedDays.count)
                ),
                ("first", days.days.map { ReportDate.text($0.lowerBound) }),
                ("latest", days.days.map { ReportDate.text($0.upperBound) }),
                ("current streak", now), ("longest streak", of.streaks.longest.map { counted($0.length, "day") }),
            ], class: "facts small")
    }

    /// The trend of the counts over the whole width, those of properties side by side.
    private var trends: [HTMLNode] {
        of.trends.enumerated().compactMap { place, report -> HTMLNode? in
            let way = report.series.aggregation == .sum ? "sum" : report.series.aggregation.rawValue
            let unit = report.measure?.isDuration == true ? " in minutes" : ""
            let heading = report.property.map { "\($0), \(way)\(unit) by \(report.series.period.rawValue)" } ?? "Trend"
            let figure = TrendFigure(id: "\(id)-trend-\(place)", heading: heading, report: report).figure
            return figure.map { report.property == nil ? Self.whole($0) : $0.element }
        }
    }

    private var counts: [HTMLNode] {
        let counts = of.tally.days
        let (months, days) = (scope.days(by: .month, of: counts), scope.days(by: .day, of: counts))
        let month = ColumnChart(
            id: "\(id)-month", heading: "By month", name: of.name,
            series: counts.counts(by: .month, in: months), today: scope.today,
            first: months.lowerBound, empty: scope.empty(months, counts))
        let others = [CountGrouping.weekday, .hour].map { grouping in
            ColumnChart(
                id: "\(id)-\(grouping.rawValue)", heading: "By \(grouping.rawValue)", name: of.name,
                series: of.tally.counts(by: grouping), today: scope.today, first: counts.days?.lowerBound)
        }
        let day = ColumnChart(
            id: "\(id)-day", heading: "By day", name: of.name,
            series: counts.counts(by: .day, in: days), today: scope.today,
            first: days.lowerBound, empty: scope.empty(days, counts))
        return ([day, month] + others).map(\.figure.element)
    }

    private var calendars: [HTMLNode] {
        CalendarList(id: id, name: of.name, presence: of.presence, scope: scope).elements
    }

    private static func whole(_ figure: ChartFigure) -> HTMLNode {
        .element(.div, [.class: "whole"], [figure.element])
    }
}
