import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Facts with their figures, the figures large.
enum FactList {
    /// The list; facts without a value are left out.
    static func element(_ facts: [(name: String, value: String?)], class name: String) -> HTMLNode {
        .element(
            .dl, [.class: name],
            facts.compactMap { fact in
                fact.value.map {
                    .element(.div, [:], [.element(.dt, [:], fact.name), .element(.dd, [:], $0)])
                }
            })
    }
}

/// The calendars of some counts: one, or one for each year.
struct CalendarList {
    let id: String
    let name: String
    let presence: Presence
    let scope: ReportScope

    var elements: [HTMLNode] {
        let ranges = scope.calendars(of: presence.counts)
        return ranges.enumerated().map { place, range in
            let heading = ranges.count > 1 ? "Calendar of \(range.lowerBound.date.year)" : "Calendar"
            let figure = CalendarFigure(
                id: "\(id)-calendar-\(place)", heading: heading, name: name, days: range, presence: presence,
                empty: scope.empty(range, presence.counts)
            ).figure
            return .element(.div, [.class: "whole"], [figure.element])
        }
    }
}

/// The names of types, with the marks that go with them.
@MainActor
enum TypeName {
    /// The place of the type's section in the page.
    static func id(_ number: Int) -> String { "type-\(number)" }

    /// The name as a link to the type's section.
    static func link(_ number: Int, _ of: ReportFigures.OfType) -> HTMLNode {
        .element(.a, [.href: "#\(id(number))"], [label(of)])
    }

    /// The name with the type's emoji, or a dot in its colour where it has none.
    ///
    /// The name is isolated: a name from right to left does not change the order of the text around it.
    static func label(_ of: ReportFigures.OfType) -> HTMLNode {
        let mark: HTMLNode =
            of.face.icon.map { .element(.span, [.class: "icon", .ariaHidden: "true"], $0) }
            ?? .element(.span, [.class: "mark-of", .ariaHidden: "true"])
        return .element(.span, [.class: "name"], [mark, .element(.bdi, [:], of.name)])
    }
}

/// Days in a row of each type, as the command `streaks` has them.
@MainActor
struct StreakTable {
    let figures: ReportFigures

    private static let days = 14
    private static let pitch = 9.0

    var element: HTMLNode {
        let titles: [(String, String?)] = [
            ("Type", nil), ("Now", nil), ("Last \(Self.days) days", "optional"), ("Longest", nil),
        ]
        let head = titles.map { title, name in HTMLNode.element(.th, [.scope: "col", .class: name], title) }
        return .element(
            .section, [.ariaLabelledBy: "streaks"],
            [
                .element(.h2, [.id: "streaks"], "Streaks"),
                .element(
                    .table, [.class: "streaks"],
                    [
                        .element(.caption, [.class: "hidden"], "Days in a row with an event, by type"),
                        .element(.thead, [:], [.element(.tr, [:], head)]),
                        .element(.tbody, [:], rows.map { row($0.offset, $0.element) }),
                    ]),
            ])
    }

    /// Longer streaks come first, current ones before those of the past.
    private var rows: [(offset: Int, element: ReportFigures.OfType)] {
        let key = { (of: ReportFigures.OfType) in (of.streaks.current?.length ?? 0, of.streaks.longest?.length ?? 0) }
        return figures.types.enumerated().sorted { one, other in
            let (first, second) = (key(one.element), key(other.element))
            return first == second ? one.element.name < other.element.name : first > second
        }
    }

    private func row(_ number: Int, _ of: ReportFigures.OfType) -> HTMLNode {
        let now = of.streaks.current.map { counted($0.length, "day") } ?? "–"
        let longest = of.streaks.longest.map { streak -> [HTMLNode] in
            [
                .element(.span, [.class: "nowrap"], counted(streak.length, "day")),
                .element(.span, [.class: "note days"], ReportDate.text(streak.first...streak.last)),
            ]
        }
        return .element(
            .tr, [.class: "type-\(number)"],
            [
                .element(.th, [.scope: "row"], [TypeName.link(number, of)]),
                .element(.td, [.class: "nowrap"], now),
                .element(.td, [.class: "optional"], [lastDays(number, of)]),
                .element(.td, [:], longest ?? [.text("–")]),
            ])
    }

    private func lastDays(_ number: Int, _ of: ReportFigures.OfType) -> HTMLNode {
        let today = figures.scope.today
        let days = Array(today.advanced(by: 1 - Self.days)...today)
        let cells = days.enumerated().map { place, day in
            HTMLNode.element(
                .rect,
                [
                    .class: of.allDays[day] > 0 ? "level-4" : "level-0", .width: "7", .height: "12", .rx: "1.5",
                    .x: SVG.number(Double(place) * Self.pitch),
                ])
        }
        let logged = days.filter { of.allDays[$0] > 0 }.count
        return .element(
            .svg, [.role: "img", .ariaLabelledBy: "row-\(number)", .width: "126", .height: "12"],
            [.element(.title, [.id: "row-\(number)"], "\(logged) of the last \(Self.days) days")] + cells)
    }
}
