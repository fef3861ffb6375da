/// The width of text on a terminal, in columns.
///
/// The rules for each character (extended grapheme cluster), as in terminals:
/// - An emoji has two columns: with the property Emoji_Presentation, with the variation selector U+FE0F, a skin tone or a
///   zero-width joiner; also a sequence, a flag or a keycap
///   (Unicode Technical Standard #51, "Unicode Emoji", sections 1.4 and 2).
/// - Ideographs, and the blocks that EastAsianWidth.txt of Unicode 16 calls wide or fullwidth, take two
///   (Unicode Standard Annex #11, "East Asian Width", section 5).
/// - Nonspacing and enclosing marks, control characters, default-ignorable characters, and the vowels and finals of
///   conjoining Hangul have none (as in Markus Kuhn's `wcwidth`).
/// - All other characters have one, also those of ambiguous width. A character of several letters has their sum.
enum DisplayWidth {
    /// The columns of a text on one line.
    static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character.
    static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        let rest = scalars.dropFirst()
        if rest.isEmpty { return of(first) }
        return isEmoji(first, rest) ? 2 : scalars.reduce(0) { $0 + of($1) }
    }

    private static func isEmoji(_ first: Unicode.Scalar, _ rest: Substring.UnicodeScalarView) -> Bool {
        if first.value < 0x80 { return first.properties.isEmoji && rest.first == "\u{FE0F}" }
        if first.properties.isEmojiPresentation { return true }
        return first.properties.isEmoji
            && rest.contains { $0 == "\u{FE0F}" || $0 == "\u{200D}" || $0.properties.isEmojiModifier }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0x300: return 1
        case ..<0x300, 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case regionalIndicators: return 1
        default: break
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        if properties.isEmojiPresentation || properties.isIdeographic { return 2 }
        if wide.contains(where: { $0.contains(scalar.value) }) { return 2 }
        return properties.isDefaultIgnorableCodePoint ? 0 : 1
    }

    /// Regional indicators: two of them are a flag, a single one is a letter in a box.
    private static let regionalIndicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

    /// The other wide blocks: Hangul, kana, Yi, their punctuation and symbols, fullwidth forms, and the planes reserved for
    /// ideographs.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x4DFF,
        0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FFF, 0x17000...0x18D7F, 0x1AFF0...0x1B2FF,
        0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}

extension StringProtocol {
    /// The width of the text on a terminal, in columns.
    package var columns: Int { DisplayWidth.of(self) }

    /// The text, cut to a width with an ellipsis.
    package func truncated(toColumns limit: Int, ellipsis: String = "…") -> String {
        if columns <= limit { return String(self) }
        let mark = ellipsis.columns <= limit ? ellipsis : String(repeating: ".", count: Swift.max(0, limit))
        var room = limit - mark.columns
        var kept = ""
        for character in self {
            room -= DisplayWidth.of(character)
            if room < 0 { break }
            kept.append(character)
        }
        return kept + mark
    }

    /// The text, padded with blanks on the right.
    package func padded(toColumns width: Int) -> String {
        String(self) + String(repeating: " ", count: Swift.max(0, width - columns))
    }

    /// The text, padded with blanks on the left.
    package func padded(fromColumns width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - columns)) + String(self)
    }
}
