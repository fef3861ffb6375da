/// Builds a line from cells, and keeps it within the width of the screen.
///
/// Only visible characters count; trailing blanks are left out.
package struct LineBuilder {
    private let limit: Int?
    private let ellipsis: String
    private var text = ""
    private var used = 0
    private var blanks = 0

    package init(_ screen: Screen) {
        limit = screen.limit
        ellipsis = screen.glyphs.ellipsis
    }

    /// The line so far.
    package var line: String { text }
    /// The remaining columns; nil for no limit.
    package var room: Int? { limit.map { max(0, $0 - used - blanks) } }

    /// Adds blanks, unless they end the line.
    package mutating func skip(_ count: Int) { blanks += count }

    /// Adds a cell, cut to `width` and to the remaining columns; the next cell begins after `width` columns.
    ///
    /// - Parameter emphasis: Adds colours, which have no width.
    package mutating func add(_ cell: String, width: Int? = nil, emphasis: (String) -> String = { $0 }) {
        let most = [width, room].compactMap(\.self).min()
        let shown = most.map { cell.truncated(toColumns: $0, ellipsis: ellipsis) } ?? cell
        let columns = shown.columns
        if columns > 0 {
            text += String(repeating: " ", count: blanks) + emphasis(shown)
            used += blanks + columns
            blanks = 0
        }
        if let width { blanks += max(0, width - columns) }
    }
}
