import Foundation

extension SwiftSource {
    /// Each public declaration without a documentation comment.
    ///
    /// There are no exceptions: what a protocol elsewhere demands, as `encode(to:)`, is documented as well.
    func undocumented() -> [Violation] {
        publicDeclarations().filter { !hasDocumentation(above: $0.line) }.map {
            Violation(file: path, line: $0.line, message: "\($0.name) is public and has no documentation comment")
        }
    }

    /// Whether the comment that ends on the line above is one of documentation, and says something.
    private func hasDocumentation(above line: Int) -> Bool {
        let comment = written[..<(line - 1)].reversed()
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .prefix { $0.hasPrefix("///") && !$0.hasPrefix("////") }
        return comment.contains { $0.contains { $0.isLetter } }
    }
}
