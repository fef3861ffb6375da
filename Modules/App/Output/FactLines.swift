/// Facts with their names in a column of their own, a fact a line.
enum FactLines {
    /// The lines; facts without a value are left out.
    static func of(_ facts: [(name: String, value: String?)]) -> [String] {
        let present = facts.compactMap { fact in fact.value.map { (fact.name, $0) } }
        let width = present.map(\.0.columns).max() ?? 0
        return present.map { name, value in
            name + String(repeating: " ", count: width - name.columns + 2) + TextTable.singleLine(value)
        }
    }
}
