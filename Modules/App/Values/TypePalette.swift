import TrendyData
import TrendyDomain

/// The choice of colours for new types.
enum TypePalette {
    /// The suggested colour with the fewest types; the first one if there are several.
    static func color(beside types: some Sequence<EventType>) -> String {
        var counts: [String: Int] = [:]
        for type in types { counts[type.color.uppercased(), default: 0] += 1 }
        return EventType.suggestedColors.min { counts[$0, default: 0] < counts[$1, default: 0] }
            ?? EventType.defaultColor
    }
}

extension CommandContext {
    /// The colour of a new type.
    ///
    /// - Parameter others: Further new types that are not stored yet.
    func newColor(beside others: some Sequence<EventType> = []) throws -> String {
        TypePalette.color(beside: try reader.fetch(EventType.self).map(\.entity) + Array(others))
    }
}
