/// Shares out the columns of a screen among those of a table.
enum ColumnWidths {
    /// How many blanks stand between two columns of a table.
    static let gap = 2

    /// Takes from the widest column until all fit, but from none below what it needs at least.
    ///
    /// Where that is not enough the widths are too many still, and the ends of lines have to be cut.
    static func fitted(_ wanted: [Int], atLeast least: [Int], limit: Int) -> [Int] {
        var widths = wanted
        var excess = total(widths) - limit
        while excess > 0 {
            let places = widths.indices.filter { widths[$0] > least[$0] }
            guard let widest = places.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// What columns of these widths take together.
    static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + gap * (widths.count - 1) }

    /// What a column needs at least so that its title can be read.
    static func least(_ title: String) -> Int { max(4, title.columns) }
}
