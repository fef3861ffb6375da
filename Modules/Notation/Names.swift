package import TrendyDomain

/// Rules for the names of types, places and keys of properties.
package enum Names {
    /// The name without blanks at its ends.
    package static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// The stored form of a name: its words are separated by single blanks, so that people can type it.
    package static func plain(_ text: String) -> String {
        // Most names are one word, and an import checks many.
        if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether two names are the same; see ``NameKey``.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        one == other || NameKey(one) == NameKey(other)
    }

    /// The stored form of a name; refuses control characters, and a name of which nothing can be seen.
    package static func checked(_ text: String) throws(InputError) -> String {
        let name = plain(text)
        if let obstacle = obstacle(to: name) { throw .data(obstacle) }
        return name
    }

    /// The stored form of a type's name; refuses an empty name, and one that looks like an option.
    ///
    /// - Parameter example: An example for the error of an empty name.
    package static func checkedType(_ text: String, example: String) throws(InputError) -> String {
        let name = try checked(text)
        if name.isEmpty { throw .data("a type needs a name; give it one, as in \(example)") }
        if name.hasPrefix("-") {
            throw .data("'\(name)' cannot be a type: it looks like an option; begin it with a letter")
        }
        return name
    }

    /// The error for a name that people cannot type; nil for a good name.
    package static func obstacle(to name: String) -> String? {
        let control = name.unicodeScalars.first { $0.properties.generalCategory == .control }
        guard let control else {
            let isUnseen = !name.isEmpty && NameKey(name).text.isEmpty
            return isUnseen ? "the name '\(name)' has no character that can be seen; write a word" : nil
        }
        let digits = String(control.value, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "the name '\(name)' contains the control character U+\(code); remove it"
    }

    /// Refuses a name that is the same as that of another record.
    package static func requireFree<Entity: SyncEntity>(
        _ name: String, among records: [Entity], but id: String? = nil, by key: (Entity) -> String
    ) throws {
        let wanted = NameKey(name)
        guard let other = records.first(where: { $0.id != id && NameKey(key($0)) == wanted }) else { return }
        let kind = Entity.entityType.displayName
        throw InputError.data("the \(kind) '\(key(other))' exists already; choose another name")
    }
}
