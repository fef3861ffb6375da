import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The section of all types together, the insights and the streaks.
@MainActor
struct OverviewSection {
    let figures: ReportFigures

    private var tally: EventTally { figures.tally }
    private var scope: ReportScope { figures.scope }

    /// The figures at a glance, the types, and when events were.
    var element: HTMLNode {
        .element(
            .section, [.ariaLabelledBy: "all"],
            [
                .element(.h2, [.id: "all"], "Overview"), facts,
                .element(.div, [.class: "grid"], [types] + charts),
            ])
    }

    private var facts: HTMLNode {
        let days = tally.days.loggedDays
        let most = days.max { tally.days[$0] < tally.days[$1] }
        return FactList.element(
            [
                ("events", FigureText.text(tally.days.total)),
                (figures.types.count == 1 ? "type" : "types", FigureText.text(figures.types.count)),
                (days.count == 1 ? "day with events" : "days with events", FigureText.text(days.count)),
                ("per day with events", FigureText.text(Double(tally.days.total) / Double(max(1, days.count)))),
                ("most on one day", most.map { FigureText.text(tally.days[$0]) }),
            ], class: "facts")
    }

    private var types: HTMLNode {
        let largest = Double(figures.types.first?.tally.days.total ?? 1)
        let rows = figures.types.enumerated().map { number, of -> HTMLNode in
            let count = of.tally.days.total
            let bar = HTMLNode.element(
                .svg, [.ariaHidden: "true", .width: "100%", .height: "12"],
                [
                    .element(
                        .rect,
                        [
                            .class: "mark", .height: "12", .rx: "2",
                            .width: SVG.percent(max(0.004, Double(count) / largest)),
                        ])
                ])
            return .element(
                .tr, [.class: "type-\(number)"],
                [
                    .element(.th, [.scope: "row"], [TypeName.link(number, of)]),
                    .element(.td, [.class: "bar"], [bar]),
                    .element(.td, [.class: "number"], FigureText.text(count)),
                ])
        }
        let head = ["Type", "Share", "Events"].enumerated().map { place, text in
            HTMLNode.element(.th, [.scope: "col", .class: place == 2 ? "number" : nil], text)
        }
        return .element(
            .div, [.class: "whole"],
            [
                .element(
                    .table, [.class: "bars"],
                    [
                        .element(.caption, [.class: "hidden"], "Events of each type"),
                        .element(.thead, [:], [.element(.tr, [:], head)]), .element(.tbody, [:], rows),
                    ])
            ])
    }

    private var charts: [HTMLNode] {
        let name = "all types"
        let periods = CalendarPeriod.allCases.map { period in
            let days = scope.days(by: period, of: tally.days)
            let figure = ColumnChart(
                id: "all-\(period.rawValue)", heading: "By \(period.rawValue)", name: name,
                series: tally.days.counts(by: period, in: days), today: scope.today, first: days.lowerBound,
                empty: scope.empty(days, tally.days)
            ).figure.element
            return period == .day ? .element(.div, [.class: "whole"], [figure]) : figure
        }
        let others = [CountGrouping.weekday, .hour].map { grouping in
            ColumnChart(
                id: "all-\(grouping.rawValue)", heading: "By \(grouping.rawValue)", name: name,
                series: tally.counts(by: grouping), today: scope.today, first: tally.days.days?.lowerBound
            ).figure.element
        }
        let calendars = CalendarList(id: "all", name: name, presence: figures.presence, scope: scope)
        return periods + others + calendars.elements
    }

    /// The insights as sentences.
    var insights: HTMLNode {
        let numbers = Dictionary(
            figures.types.enumerated().map { ($1.type.id, $0) }, uniquingKeysWith: { first, _ in first })
        let shared = InsightText.sharedDetail(figures.insights)
        let items = figures.insights.map { insight -> HTMLNode in
            let number = insight.eventTypeIds.first.flatMap { numbers[$0] }
            return .element(
                .li, [.class: number.map { "type-\($0)" }],
                [
                    .element(.span, [.class: "kind"], Self.title(insight.kind)),
                    .element(.p, [:], Self.text(insight.sentence)),
                ]
                    + [shared == nil ? insight.detail : nil].compactMap(\.self).map {
                        .element(.p, [.class: "note"], Self.text($0))
                    })
        }
        let body: HTMLNode =
            items.isEmpty
            ? .element(.p, [.class: "lead"], "Nothing stands out.") : .element(.ul, [.class: "insights"], items)
        let notes = [InsightText.examined(figures.insights, ReportDate.text), shared].compactMap(\.self).map {
            text -> HTMLNode in
            .element(.p, [.class: "note"], "\(ReportDate.title(text)).")
        }
        let parts = [.element(.h2, [.id: "insights"], "Insights"), body] + notes
        return .element(.section, [.ariaLabelledBy: "insights"], parts)
    }

    /// A sentence with its full stop, whose `r = 0.4` stays on one line.
    private static func text(_ sentence: String) -> String {
        TextTable.singleLine(sentence).replacing(" = ", with: "\u{A0}=\u{A0}") + "."
    }

    private static func title(_ kind: InsightKind) -> String {
        switch kind {
        case .streak: "Streak"
        case .weekday: "Weekdays"
        case .weekComparison: "Last 7 days"
        case .correlation: "Together"
        case .nextDay: "Next day"
        case .amount: "Amounts"
        case .gap: "Gap"
        case .tooLittleData: "Too little data"
        }
    }

    /// Days in a row, of each type.
    var streaks: HTMLNode { StreakTable(figures: figures).element }
}
