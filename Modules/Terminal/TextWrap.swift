/// Wraps text.
package enum TextWrap {
    /// The lines of a text, wrapped at blanks; a word that is longer than a line is split.
    package static func lines(_ text: String, columns limit: Int) -> [String] {
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

extension String {
    /// The maximum length of a word in a message.
    package static let longestWord = 60

    /// The text with very long words cut; paths and addresses have a higher limit.
    package var withoutLongWords: String {
        guard utf8.count > Self.longestWord else { return self }
        return split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            let most = word.contains("/") ? 20 * Self.longestWord : Self.longestWord
            guard word.count > most else { return String(word) }
            // The closing quotation mark and the punctuation stay.
            let end = String(word.reversed().prefix { "'\",;.:?!)".contains($0) }.prefix(3).reversed())
            return word.prefix(most) + "…" + end
        }.joined(separator: " ")
    }
}
