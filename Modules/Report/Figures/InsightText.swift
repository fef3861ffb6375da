package import TrendyDomain
import TrendyTerminal

/// Texts about several insights: their certainty and their days.
package enum InsightText {
    /// The certainty that at least two insights share; nil where they differ.
    package static func sharedDetail(_ insights: [Insight]) -> String? {
        let details = insights.compactMap(\.detail)
        guard let first = details.first, details.count > 1, details.allSatisfy({ $0 == first }) else { return nil }
        return "for each pattern, " + TextTable.singleLine(first.prefix(1).lowercased() + first.dropFirst())
    }

    /// The days in which the patterns were looked for; nil where no insight names them.
    ///
    /// - Parameter date: Writes a day.
    package static func examined(_ insights: [Insight], _ date: (CalendarDay) -> String = \.description) -> String? {
        for insight in insights {
            guard let first = day(insight.figures[Insight.firstDay]), let last = day(insight.figures[Insight.lastDay])
            else { continue }
            let days = first == last ? "on \(date(first))" : "between \(date(first)) and \(date(last))"
            return "patterns are looked for \(days)"
        }
        return nil
    }

    private static func day(_ figure: JSONValue?) -> CalendarDay? {
        guard case .string(let text)? = figure else { return nil }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? CalendarDay(year: parts[0], month: parts[1], day: parts[2]) : nil
    }
}
