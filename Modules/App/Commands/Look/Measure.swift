import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

extension Measure {
    /// Finds the measure with a name. A property called `time` has priority over the time of events.
    ///
    /// - Parameter use: The purpose, for errors.
    /// - Throws: ``CommandFailure`` if there is no such property, or if it is neither a number nor a duration.
    init(_ text: String, of type: EventType, _ lookup: RecordLookup, for use: String) throws {
        let own = try lookup.properties(of: type.id).map(\.entity).filter { Self.isTime($0.key) && $0.hasNumbers }
        if Self.isTime(text), own.count < 2 {
            self = own.first.map(Measure.property) ?? .time
            return
        }
        let definition: PropertyDefinition
        do {
            definition = try lookup.property(text, of: type).entity
        } catch let failure as CommandFailure where own.isEmpty && Self.isNearTime(text) {
            throw CommandFailure.data(failure.message.withHint("--prop \(Self.timeKey) means the recorded time"))
        }
        try definition.requireNumbers(for: use)
        self = .property(definition)
    }

    /// Whether the text may be a misspelt `time`.
    private static func isNearTime(_ text: String) -> Bool {
        Suggestion.nearest(to: NameKey(text).text, among: [timeKey]) != nil
    }

    /// Matches the events with a value.
    var part: EventSpan.Part {
        switch self {
        case .property(let definition): .number(key: definition.key)
        case .time: .length
        }
    }

    /// Refuses values that are too large for a number.
    func requireFinite(_ values: [Double?], of type: EventType?) throws {
        guard values.contains(where: { $0?.isFinite == false }) else { return }
        let what =
            switch self {
            case .property(let definition): "the property '\(TextTable.singleLine(definition.key))'"
            case .time: "the recorded time"
            }
        let whose = type.map { "the type '\(TextTable.singleLine($0.name))'" } ?? "all types"
        throw CommandFailure.data(
            "\(what) of \(whose) adds up to a number that is too large; try --agg mean or --agg max")
    }
}

extension Measure {
    /// The measure of `--agg` without `--prop`: the number that the query compares, or the only number of the type.
    ///
    /// - Throws: ``CommandFailure`` if there are several, or none.
    init(meantBy query: EventQuery, _ lookup: RecordLookup) throws {
        let numbers = try query.type.map { try lookup.properties(of: $0.id).map(\.entity).filter(\.hasNumbers) } ?? []
        let candidates = query.measured.isEmpty ? numbers : query.measured
        guard candidates.count == 1 else {
            let names = candidates.map { "--prop \(quoted($0.key))" }.joined(separator: " or ")
            throw CommandFailure.usage(
                "--agg needs a number or a duration: add \(names.isEmpty ? "--prop KEY, or --prop time" : names)")
        }
        self = .property(candidates[0])
    }
}

extension Aggregation {
    /// The words after a figure.
    var way: String {
        switch self {
        case .count, .sum: ""
        case .mean: " on average"
        case .median: " as the median"
        case .min: " at least"
        case .max: " at most"
        }
    }
}

extension PropertyDefinition {
    /// Whether its values are numbers or durations.
    var hasNumbers: Bool { [.number, .duration].contains(propertyType) }

    /// Refuses a property that is neither a number nor a duration.
    func requireNumbers(for use: String) throws {
        guard hasNumbers else {
            throw CommandFailure.data("the property '\(key)' is a \(propertyType); \(use) needs a number or a duration")
        }
    }
}
