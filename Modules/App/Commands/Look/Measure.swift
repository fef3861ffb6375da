import TrendyDomain

/// What `--prop` names: a property of a type, or the time that events took.
enum Measure {
    case property(PropertyDefinition)
    /// From start to end, of the events that have both.
    case time

    /// What names the time, in output as it is.
    static let timeKey = "time"

    /// Finds what a name means for a type, whose own property goes before the time.
    ///
    /// - Parameter use: What it is for, in words.
    /// - Throws: ``CommandFailure`` where it is no property, or one that is neither a number nor a duration.
    init(_ text: String, of type: EventType, _ lookup: RecordLookup, for use: String) throws {
        if Self.isTime(text) {
            let keys = try lookup.properties(of: type.id).map(\.entity.key)
            guard keys.contains(where: Self.isTime) else {
                self = .time
                return
            }
        }
        let definition = try lookup.property(text, of: type).entity
        try definition.requireNumbers(for: use)
        self = .property(definition)
    }

    /// Whether a name is that of the time where no property has it.
    static func isTime(_ text: String) -> Bool { Names.folded(text) == timeKey }

    var key: String {
        switch self {
        case .property(let definition): definition.key
        case .time: Self.timeKey
        }
    }

    var isDuration: Bool {
        switch self {
        case .property(let definition): definition.propertyType == .duration
        case .time: true
        }
    }

    /// What is said where no event has it.
    var absence: String {
        switch self {
        case .property(let definition): "no events with '\(TextTable.singleLine(definition.key))'"
        case .time: "no events with a start and an end"
        }
    }

    /// A value as people write it, durations from seconds: `12.5`, `1h 30m`.
    func figure(_ value: Double) -> String {
        guard isDuration else { return FigureText.text(value) }
        // What is longer than a minute is not timed to the tenth of a second.
        let scale = abs(value) < 60 ? 10.0 : 1
        let rounded = (abs(value) * scale).rounded() / scale
        return (value < 0 && rounded > 0 ? "-" : "") + DurationText.text(rounded)
    }

    /// Seconds in JSON: whole milliseconds, whatever adding up has made of them.
    static func seconds(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}

extension PropertyDefinition {
    /// Refuses a property whose values are nothing to compute with.
    func requireNumbers(for use: String) throws {
        guard [.number, .duration].contains(propertyType) else {
            throw CommandFailure.data("the property '\(key)' is a \(propertyType); \(use) needs a number or a duration")
        }
    }
}
