import TrendyData
import TrendyDomain

/// The colours of new types, which differ on light and dark backgrounds, and for colour-blind people.
///
/// Most come from the palette of Okabe and Ito ("Color Universal Design", 2008), without black and yellow, which are
/// invisible on dark and light backgrounds. The blue is the default of the API.
enum TypePalette {
    static let colors = [
        EventType.defaultColor, "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#7C3AED", "#8A8A00",
    ]

    /// The colour with the fewest types; the first one if there are several.
    static func color(beside types: some Sequence<EventType>) -> String {
        var counts: [String: Int] = [:]
        for type in types { counts[type.color.uppercased(), default: 0] += 1 }
        return colors.min { counts[$0, default: 0] < counts[$1, default: 0] } ?? EventType.defaultColor
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
