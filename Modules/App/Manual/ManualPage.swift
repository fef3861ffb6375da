import TrendyNotation
import TrendyReport

/// A page of the manual in mdoc(7), which both mandoc and groff read.
struct ManualPage {
    /// The name of the page: `trendy-log`.
    let name: String
    private(set) var lines: [String]

    /// - Parameter date: The day that the page shows, as mdoc writes it: `November 22, 2026`.
    init(name: String, about: String, date: String) {
        self.name = name
        lines = [
            ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)",
            ".Nd \(Self.escaped(Self.withoutStop(about)))",
        ]
    }

    var fileName: String { "\(name).1" }
    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func section(_ title: String) { lines.append(".Sh \(title)") }

    mutating func subsection(_ title: String) { lines.append(".Ss \(Self.escaped(title))") }

    /// A line of mdoc as it is.
    mutating func add(_ line: String) { lines.append(line) }

    mutating func paragraph(_ text: String) {
        lines.append(".Pp")
        lines += Self.prose(text)
    }

    /// Lines that stay as they are.
    mutating func literal(_ text: [String]) {
        lines.append(".Bd -literal -offset indent")
        lines += text.map { $0.isEmpty ? "" : Self.line($0) }
        lines.append(".Ed")
    }

    /// A list of terms, each of mdoc, and what they mean.
    mutating func terms(_ terms: [(term: String, meaning: String)]) {
        if terms.isEmpty { return }
        lines.append(".Bl -tag -width indent")
        for (term, meaning) in terms {
            lines.append(".It \(term)")
            lines += Self.prose(meaning)
        }
        lines.append(".El")
    }

    /// Text without what the formatter would take for its own.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            default: result += character.unicodeScalars.map(Self.named).joined()
            }
        }
    }

    /// A character that old formatters cannot read, by its number.
    private static func named(_ scalar: Unicode.Scalar) -> String {
        guard !scalar.isASCII else { return String(scalar) }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }

    /// A sentence on each line, so that the formatter sees where it ends.
    private static func prose(_ text: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            sentence += sentence.isEmpty ? String(word) : " \(word)"
            guard let end = word.last(where: { !"')\"".contains($0) }), ".!?".contains(end) else { continue }
            sentences.append(sentence)
            sentence = ""
        }
        if !sentence.isEmpty { sentences.append(sentence) }
        return sentences.map(line)
    }

    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
    }

    private static func withoutStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
