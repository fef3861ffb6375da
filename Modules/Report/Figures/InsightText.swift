package import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The figures of insights as people read them.
package enum InsightText {
    /// The figures of an insight with their names, by name, without the days that ``examined(_:)`` tells.
    package static func figures(_ insight: Insight) -> [(name: String, value: String)] {
        insight.figures.filter { ![Insight.firstDay, Insight.lastDay].contains($0.key) }
            .sorted { $0.key < $1.key }.map { name, value in
                (words(name), name == "p_value" ? likelihood(value) : TextTable.singleLine(text(value)))
            }
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

    /// What is smaller than a thousandth is no more certain for more digits.
    private static func likelihood(_ value: JSONValue) -> String {
        if case .number(let number) = value, number < 0.001 { return "< 0.001" }
        return text(value)
    }

    private static func words(_ name: String) -> String {
        String(name.map { $0 == "_" ? " " : $0 })
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .number(let number): FigureText.text(number)
        case .boolean(let flag): flag ? "yes" : "no"
        case .array(let values): values.map(text).joined(separator: " and ")
        default: JSONValueText.of(value)
        }
    }
}
