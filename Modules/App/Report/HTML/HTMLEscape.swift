/// Writes text so that a browser shows it as it is, whatever is in it.
enum HTMLEscape {
    /// Adds text that stands between tags.
    static func text(_ text: String, to markup: inout String) {
        add(text, to: &markup, escapesApostrophes: true)
    }

    /// Adds the value of an attribute, which is always put into double quotes.
    static func attribute(_ value: String, to markup: inout String) {
        add(value, to: &markup, escapesApostrophes: false)
    }

    private static func add(_ text: String, to markup: inout String, escapesApostrophes: Bool) {
        if text.utf8.allSatisfy({ isPlain($0) }) {
            markup += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'" where escapesApostrophes: markup += "&#39;"
            case "\t", "\n": markup.unicodeScalars.append(scalar)
            default: markup.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
    }

    /// ASCII that means nothing else in HTML.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && ![0x22, 0x26, 0x27, 0x3C, 0x3E].contains(byte)
    }

    /// Controls and noncharacters are errors in a document (HTML, "Preprocessing the input stream").
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
        return !isControl && !(0xFDD0...0xFDEF).contains(value) && value & 0xFFFE != 0xFFFE
    }
}
