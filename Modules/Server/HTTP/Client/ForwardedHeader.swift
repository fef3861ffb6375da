/// The header `Forwarded` (RFC 7239, section 4).
enum ForwardedHeader {
    /// The `for` of each proxy on the way, in their order; nil where a proxy wrote none.
    static func nodes(_ header: String) -> [String?] {
        split(header, at: ",").map { element in
            for pair in split(element, at: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, trimmed(parts[0]).lowercased() == "for" { return unquoted(trimmed(parts[1])) }
            }
            return nil
        }
    }

    /// The parts between separators that are not within quotation marks.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var (parts, part, isQuoted, isEscaped) = ([String](), "", false, false)
        for character in text {
            if character == separator && !isQuoted {
                parts.append(part)
                part = ""
                continue
            }
            part.append(character)
            if character == "\"" && !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
        }
        return parts + [part]
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var (result, isEscaped) = ("", false)
        for character in text.dropFirst().dropLast() {
            if character == "\\" && !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
