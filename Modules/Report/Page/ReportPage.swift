import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The page of a report. It needs no other file.
@MainActor
package struct ReportPage {
    package let figures: ReportFigures

    package init(figures: ReportFigures) {
        self.figures = figures
    }

    /// Tells browsers to run no script and to load nothing: the page needs neither.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    /// Passes on the page piece by piece.
    package func write(_ take: (String) throws -> Void) rethrows {
        try take("<!DOCTYPE html>\n<html lang=\"en\">\n")
        try take(head.markup + "\n<body>\n")
        for part in [header] + sections { try take(part.markup + "\n") }
        try take("</body>\n</html>\n")
    }

    /// The beginning that a person asked for; nil where nobody did.
    private var since: String? { figures.scope.since.map { "since \(ReportDate.text($0, in: figures.zone))" } }

    private var title: String { "Your events, \(period)" }

    private var period: String {
        guard let days = figures.tally.days.days else {
            return since ?? "none so far"
        }
        return ReportDate.text(days.lowerBound...max(days.upperBound, days.lowerBound, figures.scope.today))
    }

    private var head: HTMLNode {
        .element(
            .head, [:],
            [
                .element(.meta, [.charset: "utf-8"]),
                .element(.meta, [.httpEquiv: "Content-Security-Policy", .content: Self.policy]),
                .element(.meta, [.name: "viewport", .content: "width=device-width, initial-scale=1"]),
                .element(.meta, [.name: "color-scheme", .content: "light dark"]),
                .element(.meta, [.name: "generator", .content: "Trendy"]),
                .element(.title, [:], title), .style(ReportStyle.sheet(figures.types.map(\.color))),
            ])
    }

    private var header: HTMLNode {
        let made = "Made on \(ReportDate.text(figures.scope.today)), \(figures.zone.clockText(figures.now))"
        let since = since.map { "Events \($0). Streaks and insights include earlier events. " }
        let lead = "\(since ?? "")\(made)."
        return .element(
            .header, [:],
            [
                .element(.h1, [:], "Your events"),
                figures.types.isEmpty ? .group([]) : .element(.p, [.class: "lead"], period),
                .element(.p, [.class: "note"], lead),
            ])
    }

    private var sections: [HTMLNode] {
        guard !figures.types.isEmpty else { return [.element(.main, [:], [nothing])] }
        let overview = OverviewSection(figures: figures)
        let types = figures.types.enumerated().map { TypeSection(number: $0, of: $1, figures.scope).element }
        return [
            .element(.main, [.class: "all-0"], [overview.element, overview.insights, overview.streaks] + types),
            .element(.footer, [:], [.element(.p, [:], foot)]),
        ]
    }

    private var foot: String {
        "Days and hours are those of your time zone. Weeks begin on \(figures.scope.weekStart). "
            + "An event counts on the day it began; calendars show it on each of its days."
    }

    private var nothing: HTMLNode {
        let advice: [HTMLNode]
        if figures.everything != nil, var empty = figures.empty {
            empty.stretch = since
            advice = [.text("\(ReportDate.title(empty.text(ReportDate.text))).")]
        } else {
            advice = [
                .text("Log one with "), .element(.code, [:], "trendy log coffee"),
                .text(", and make the report again."),
            ]
        }
        let title =
            figures.everything == nil
            ? "Nothing has been logged" : ["No events", since].compactMap(\.self).joined(separator: " ")
        return .element(
            .section, [:], [.element(.h2, [:], title), .element(.p, [.class: "lead"], advice)])
    }
}
