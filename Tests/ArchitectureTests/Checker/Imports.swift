extension SwiftSource {
    /// A module that the file imports.
    struct Import: Equatable {
        let module: String
        let line: Int
    }

    /// Every import: with attributes, an access level, a kind (`import struct A.B`) or a submodule,
    /// several on a line, and in every branch of a conditional compilation.
    func imports() throws -> [Import] {
        let kinds = "typealias|struct|class|enum|protocol|let|var|func|actor"
        let pattern =
            #"(?:^|;)\s*(?:@\w+(?:\([^)]*\))?\s+)*"#
            + #"(?:(?:public|package|internal|fileprivate|private)\s+)?"#
            + #"import\s+(?:(?:"# + kinds + #")\s+)?`?(\w+)"#
        let regex = try Regex(pattern)
        return lines.enumerated().flatMap { index, line in
            // Overlapping separators: each statement is looked at by itself.
            line.split(separator: ";").flatMap { statement in
                statement.matches(of: regex).compactMap { match in
                    match.output[1].substring.map { Import(module: String($0), line: index + 1) }
                }
            }
        }
    }
}
