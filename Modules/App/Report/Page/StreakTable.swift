import TrendyDomain
import TrendyNotation

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
                        .element(.caption, [.class: "hidden"], "Days in a row with an event, of each type"),
                        .element(.thead, [:], [.element(.tr, [:], head)]),
                        .element(.tbody, [:], rows.map { row($0.offset, $0.element) }),
                    ]),
            ])
    }

    /// Longer rows of days come first, those that go on before those of the past.
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
