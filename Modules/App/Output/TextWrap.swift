/// Breaks text into lines that fit.
enum TextWrap {
    /// The lines of a text, broken at blanks; a word that is too long for a line is broken within.
    static func lines(_ text: String, columns limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.columns + 1 + word.columns <= limit {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if !line.isEmpty, line.columns + DisplayWidth.of(character) > limit {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
