package import TrendyDomain
import TrendyTerminal

/// What is said of insights beside them.
package enum InsightText {
    /// How sure all insights are that claim something, where they are equally sure and several; nil elsewhere.
    package static func sharedDetail(_ insights: [Insight]) -> String? {
        let details = insights.compactMap(\.detail)
        guard let first = details.first, details.count > 1, details.allSatisfy({ $0 == first }) else { return nil }
        return "of each pattern: " + TextTable.singleLine(first.prefix(1).lowercased() + first.dropFirst())
    }

    /// Which days the insights were looked for in; nil where none of them says so.
    package static func examined(_ insights: [Insight]) -> String? {
        let days = insights.lazy.compactMap { insight -> String? in
            guard case .string(let first)? = insight.figures[Insight.firstDay],
                case .string(let last)? = insight.figures[Insight.lastDay]
            else { return nil }
            return TextTable.singleLine(first == last ? "on \(first)" : "between \(first) and \(last)")
        }
        return days.first.map { "patterns are looked for \($0)" }
    }
}
