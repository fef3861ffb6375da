import Foundation

/// A source file, line for line, with and without its comments and the text of its string literals.
struct SwiftSource {
    /// The path from the root of the package.
    let path: String
    /// The code of each line; what was comment or text is blank.
    let lines: [String]
    /// Each line as it was written.
    let written: [String]

    init(path: String, text: String) {
        self.path = path
        let text = text.replacing("\r\n", with: "\n")
        var blanker = Blanker(text)
        lines = blanker.blanked().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        written = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// All Swift files below a folder, in the order of their paths; none where there is no such folder.
    static func all(in folder: String, of root: URL) throws -> [SwiftSource] {
        let base = root.appending(path: folder, directoryHint: .isDirectory)
        guard let paths = FileManager.default.enumerator(atPath: base.path) else { return [] }
        return
            try paths
            .compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.split(separator: "/").contains { $0.hasPrefix(".build") } }
            .sorted()
            .map { path in
                let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
                return SwiftSource(path: "\(folder)/\(path)", text: text)
            }
    }

    /// Each match of a regular expression, with its line.
    func matches(of pattern: String) throws -> [(line: Int, text: String)] {
        // Swift's default takes `list.first` for one word.
        let regex = try Regex(pattern).wordBoundaryKind(.simple)
        return lines.enumerated().flatMap { index, line in
            line.matches(of: regex).map { (index + 1, String(line[$0.range])) }
        }
    }
}

/// Replaces comments and the text of string literals by blanks. What stands in an interpolation is code.
private struct Blanker {
    private enum Mode {
        /// Code; inside an interpolation, with so many parentheses open.
        case code(parentheses: Int)
        case lineComment
        case blockComment(depth: Int)
        case string(hashes: Int, multiline: Bool)
    }

    private let text: [Character]
    private var position = 0
    private var modes: [Mode] = [.code(parentheses: 0)]
    private var output = ""

    init(_ text: String) {
        self.text = Array(text)
    }

    mutating func blanked() -> String {
        while position < text.count {
            switch modes[modes.count - 1] {
            case .code(let parentheses): code(parentheses)
            case .lineComment: lineComment()
            case .blockComment(let depth): blockComment(depth)
            case .string(let hashes, let multiline): string(hashes, multiline)
            }
        }
        return output
    }

    private mutating func code(_ parentheses: Int) {
        if starts(with: "//") { return enter(.lineComment, length: 2) }
        if starts(with: "/*") { return enter(.blockComment(depth: 1), length: 2) }
        if let (hashes, multiline) = openingQuote() {
            return enter(.string(hashes: hashes, multiline: multiline), length: hashes + (multiline ? 3 : 1))
        }
        let character = text[position]
        if modes.count > 1, character == "(" || character == ")" {
            let open = parentheses + (character == "(" ? 1 : -1)
            modes[modes.count - 1] = .code(parentheses: open)
            if open == 0 { modes.removeLast() }
        }
        output.append(character)
        position += 1
    }

    private mutating func lineComment() {
        if text[position] == "\n" { modes.removeLast() }
        blank(1)
    }

    private mutating func blockComment(_ depth: Int) {
        if starts(with: "/*") {
            modes[modes.count - 1] = .blockComment(depth: depth + 1)
            blank(2)
        } else if starts(with: "*/") {
            modes[modes.count - 1] = .blockComment(depth: depth - 1)
            if depth == 1 { modes.removeLast() }
            blank(2)
        } else {
            blank(1)
        }
    }

    private mutating func string(_ hashes: Int, _ multiline: Bool) {
        let marks = String(repeating: "#", count: hashes)
        if starts(with: "\\\(marks)(") {
            blank(1 + hashes)
            modes.append(.code(parentheses: 0))
        } else if starts(with: "\\\(marks)") {
            blank(2 + hashes)
        } else if starts(with: (multiline ? "\"\"\"" : "\"") + marks) {
            modes.removeLast()
            blank(hashes + (multiline ? 3 : 1))
        } else if text[position] == "\n", !multiline {
            modes.removeLast()
        } else {
            blank(1)
        }
    }

    /// The literal that begins here: how many `#` stand before it, and whether it has three quotes.
    private func openingQuote() -> (hashes: Int, multiline: Bool)? {
        var index = position
        while index < text.count, text[index] == "#" { index += 1 }
        guard index < text.count, text[index] == "\"" else { return nil }
        let multiline = index + 2 < text.count && text[index + 1] == "\"" && text[index + 2] == "\""
        return (index - position, multiline)
    }

    private func starts(with prefix: String) -> Bool {
        text[position...].starts(with: prefix)
    }

    private mutating func enter(_ mode: Mode, length: Int) {
        modes.append(mode)
        blank(length)
    }

    private mutating func blank(_ length: Int) {
        for _ in 0..<length where position < text.count {
            output.append(text[position] == "\n" ? "\n" : " ")
            position += 1
        }
    }
}
