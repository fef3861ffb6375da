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
    let days: DayCounts
    let scope: ReportScope

    var elements: [HTMLNode] {
        let ranges = scope.calendars(of: days)
        return ranges.enumerated().map { place, range in
            let heading = ranges.count > 1 ? "Calendar of \(range.lowerBound.date.year)" : "Calendar"
            let figure = CalendarFigure(
                id: "\(id)-calendar-\(place)", heading: heading, name: name, days: range, counts: days,
                empty: scope.empty(range, days)
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

    /// The name, leading to the type's section.
    static func link(_ number: Int, _ of: ReportFigures.OfType) -> HTMLNode {
        .element(.a, [.href: "#\(id(number))"], [label(of)])
    }

    /// The name with the type's emoji, or a dot in its colour where it has none.
    ///
    /// It is isolated, so that a name that is written from right to left does not turn what is around it.
    static func label(_ of: ReportFigures.OfType) -> HTMLNode {
        let icon = TextTable.singleLine(of.type.icon)
        // Other icons are names of pictures that only some systems have.
        let isEmoji = icon.count <= 2 && icon.unicodeScalars.contains { $0.properties.isEmoji && !$0.isASCII }
        let mark: HTMLNode =
            isEmoji
            ? .element(.span, [.ariaHidden: "true"], icon)
            : .element(.span, [.class: "mark-of", .ariaHidden: "true"])
        return .element(.span, [.class: "name"], [mark, .element(.bdi, [:], of.name)])
    }
}
