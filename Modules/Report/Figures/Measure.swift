package import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What `--prop` names: a property of a type, or the time that events took.
package enum Measure {
    case property(PropertyDefinition)
    /// From start to end, of the events that have both.
    case time

    /// What names the time, in output as it is.
    package static let timeKey = "time"

    /// Whether a name is that of the time where no property has it.
    package static func isTime(_ text: String) -> Bool { Names.folded(text) == timeKey }

    package var key: String {
        switch self {
        case .property(let definition): definition.key
        case .time: Self.timeKey
        }
    }

    /// What it is called in a title, where a property can have the same key.
    package var title: String {
        switch self {
        case .property(let definition): definition.key
        case .time: "recorded time"
        }
    }

    package var isDuration: Bool {
        switch self {
        case .property(let definition): definition.propertyType == .duration
        case .time: true
        }
    }

    /// What is said where no event has it.
    var absence: String {
        switch self {
        case .property(let definition): "no events with '\(TextTable.singleLine(definition.key))'"
        case .time: "no events with a time of day and an end"
        }
    }

    /// A value as people write it, durations from seconds: `12.5`, `1h 30m`.
    package func figure(_ value: Double) -> String {
        guard isDuration else { return FigureText.text(value) }
        // What is longer than a minute is not timed to the tenth of a second.
        let scale = abs(value) < 60 ? 10.0 : 1
        let rounded = (abs(value) * scale).rounded() / scale
        return (value < 0 && rounded > 0 ? "-" : "") + DurationText.text(rounded)
    }

    /// What values come to, as people write it: how many there are is no value itself.
    package func figure(_ value: Double, _ aggregation: Aggregation) -> String {
        aggregation == .count ? FigureText.text(value) : figure(value)
    }

    /// Seconds in JSON: whole milliseconds, whatever adding up has made of them.
    package static func seconds(_ value: Double) -> Double {
        let milliseconds = (value * 1000).rounded()
        return milliseconds.isFinite ? milliseconds / 1000 : value
    }
}
