/// Facts with their names in a column of their own, a fact a line.
enum FactLines {
    /// The lines; facts without a value are left out.
    ///
    /// - Parameter keepsLines: Whether a text of several lines is shown as such, in its column.
    static func of(_ facts: [(name: String, value: String?)], keepsLines: Bool = false) -> [String] {
        let present = facts.compactMap { fact in fact.value.map { (fact.name, $0) } }
        let width = (present.map(\.0.columns).max() ?? 0) + 2
        return present.flatMap { name, value -> [String] in
            let texts = keepsLines ? lines(of: value) : [value]
            return texts.enumerated().map { place, text -> String in
                let title = place == 0 ? name : ""
                if place > 0, text.isEmpty { return "" }
                return title + String(repeating: " ", count: width - title.columns) + TextTable.singleLine(text)
            }
        }
    }

    /// The lines of a text, without empty ones at its end.
    private static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
