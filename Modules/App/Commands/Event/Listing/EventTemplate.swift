import TrendyDomain
import TrendyTerminal

/// The template of `--format`: text with `{{placeholders}}`.
struct EventTemplate {
    private enum Part {
        case text(String)
        case column(EventColumn)
    }

    private var parts: [Part] = []

    /// Reads a template; `\t`, `\n` and `\\` in it are a tab, a line end and a backslash.
    ///
    /// - Throws: ``CommandFailure`` for an unknown placeholder, with the nearest one, and for one without an end.
    init(_ text: String, keys: Set<String>) throws(CommandFailure) {
        var rest = text[...]
        while let open = Self.find("{{", in: rest) {
            add(rest[..<open])
            rest = rest[rest.index(open, offsetBy: 2)...]
            guard let close = Self.find("}}", in: rest) else {
                throw .usage("'{{\(rest)' does not end in '}}'; write it like '{{id}} {{type}} {{prop.km}}'")
            }
            let name = rest[..<close].drop(while: \.isWhitespace)
            let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) } ?? name.startIndex
            parts.append(.column(try EventColumn(name[..<end], keys: keys)))
            rest = rest[rest.index(close, offsetBy: 2)...]
        }
        add(rest)
    }

    /// Whether the template has the names of places.
    var needsPlaces: Bool { columns.contains(.fact(.place)) }

    private var columns: [EventColumn] {
        parts.compactMap { if case .column(let column) = $0 { column } else { nil } }
    }

    /// The text of an event.
    @MainActor
    func line(_ record: LocalRecord<Event>, _ text: EventText) -> String {
        var line = ""
        for part in parts {
            switch part {
            case .text(let plain): line += plain
            case .column(let column): line += text.text(column, record)
            }
        }
        return line
    }

    private mutating func add(_ text: Substring) {
        var plain = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                plain += ["t": "\t", "n": "\n", "\\": "\\"][character] ?? "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                plain.append(character)
            }
        }
        if isEscaped { plain += "\\" }
        if !plain.isEmpty { parts.append(.text(plain)) }
    }

    /// The start of a mark of two equal characters.
    private static func find(_ mark: String, in text: Substring) -> Substring.Index? {
        guard let wanted = mark.first else { return nil }
        var index = text.startIndex
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == wanted, next < text.endIndex, text[next] == wanted { return index }
            index = next
        }
        return nil
    }
}
