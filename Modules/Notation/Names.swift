package import TrendyDomain

/// Rules for the names of types, places and keys of properties.
package enum Names {
    /// The name without blanks around it.
    package static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// The name as it is given to a record: what parts its words is one blank, so that whoever reads it can write it.
    package static func plain(_ text: String) -> String {
        // Most names are one word, and an import asks for many.
        if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// What names have in common that look the same, whatever their case.
    package static func folded(_ text: String) -> String { plain(text).lowercased() }

    /// The plain name; refuses one that holds what nobody sees.
    package static func checked(_ text: String) throws(InputError) -> String {
        let name = plain(text)
        if let obstacle = obstacle(to: name) { throw .data(obstacle) }
        return name
    }

    /// The plain name for a type; refuses one that is empty, or that commands would take for an option.
    ///
    /// - Parameter example: How a name is given, for what is said of an empty one.
    package static func checkedType(_ text: String, example: String) throws(InputError) -> String {
        let name = try checked(text)
        if name.isEmpty { throw .data("a type needs a name; give it one, as in \(example)") }
        if name.hasPrefix("-") {
            throw .data("'\(name)' can be no type: every command would take it for an option; begin it with a letter")
        }
        return name
    }

    /// Why nobody could write a name, and what to do; nil where that is possible.
    package static func obstacle(to name: String) -> String? {
        let control = name.unicodeScalars.first { $0.properties.generalCategory == .control }
        guard let control else { return nil }
        let digits = String(control.value, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "the name '\(name)' has the control character U+\(code) in it; write it without"
    }

    /// Refuses a name that another record has, whatever its case.
    package static func requireFree<Entity: SyncEntity>(
        _ name: String, among records: [Entity], but id: String? = nil, by key: (Entity) -> String
    ) throws {
        let wanted = folded(name)
        guard let other = records.first(where: { $0.id != id && folded(key($0)) == wanted }) else { return }
        let kind = Entity.entityType.displayName
        throw InputError.data("there is already the \(kind) '\(key(other))'; choose another name")
    }
}
