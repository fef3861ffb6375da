package import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What the option `--prop` measures: a property, or the recorded time.
package enum Measure {
    case property(PropertyDefinition)
    /// From start to end, of the events that have both.
    case time

    /// The name of the recorded time.
    package static let timeKey = "time"

    /// Whether a name means the recorded time, unless a property has that name.
    package static func isTime(_ text: String) -> Bool { Names.areSame(text, timeKey) }

    package var key: String {
        switch self {
        case .property(let definition): definition.key
        case .time: Self.timeKey
        }
    }

    /// The name in a title. It tells the recorded time from a property with the key `time`.
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

    /// The message where no event has a value.
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

    /// The result of an aggregation as people write it. A count has no unit.
    package func figure(_ value: Double, _ aggregation: Aggregation) -> String {
        aggregation == .count ? FigureText.text(value) : figure(value)
    }

    /// Seconds for JSON, rounded to milliseconds.
    package static func seconds(_ value: Double) -> Double {
        let milliseconds = (value * 1000).rounded()
        return milliseconds.isFinite ? milliseconds / 1000 : value
    }
}
