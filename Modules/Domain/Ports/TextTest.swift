/// A text that an event can have.
public enum EventTextField: Sendable, Hashable, CaseIterable {
    /// What the person noted, the title where it was imported from, and what the place is called.
    case notes, title, location

    /// The text that an event has there.
    public func text(of event: Event) -> String? {
        switch self {
        case .notes: event.notes
        case .title: event.originalTitle
        case .location: event.locationName
        }
    }
}

/// What a text must be.
public enum TextTest: Sendable, Hashable {
    /// There is a text that has this one in it.
    case contains(TextSearch)
    /// There is a text that is this one.
    case equals(TextSearch)
    /// There is no text, or an empty one.
    case isMissing

    /// Whether a text meets it; nil stands for none.
    func isMet(by text: String?) -> Bool {
        switch self {
        case .contains(let search): text.map(search.isFound) ?? false
        case .equals(let search): text.map(search.isEqual) ?? false
        case .isMissing: text?.isEmpty ?? true
        }
    }
}

/// A word that a note marks with `#`.
public struct Hashtag: Sendable, Hashable {
    /// The mark and the word, in lower case.
    public let text: String

    /// Nil for what is no word: empty, or with a blank in it.
    ///
    /// - Parameter word: The word, with its mark or without.
    public init?(_ word: String) {
        let plain = word.hasPrefix("#") ? String(word.dropFirst()) : word
        guard !plain.isEmpty, !plain.contains(where: \.isWhitespace) else { return nil }
        text = "#" + plain.lowercased()
    }

    /// What every text has in it that has the hashtag.
    public var search: TextSearch { TextSearch(lowercased: text) }

    /// Whether a text has the word marked: `#park` is in "in the #Park, cold", and not in "#parking" or "a#park".
    public func isFound(in other: String) -> Bool {
        let letters = Array(other.lowercased())
        let wanted = Array(text)
        guard letters.count >= wanted.count else { return false }
        return (0...(letters.count - wanted.count)).contains { start in
            let end = start + wanted.count
            return letters[start..<end].elementsEqual(wanted)
                && (start == 0 || !Self.isPart(letters[start - 1]))
                && (end == letters.count || !Self.isPart(letters[end]))
        }
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "-"
    }
}
