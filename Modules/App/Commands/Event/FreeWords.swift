import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What is said of an event without a key: `trendy coffee "double espresso"`, `trendy run 5km`, `trendy coding 1h`.
///
/// Each word goes to the one property that it fits. A length of time that fits none is how long it took, and all else is
/// the note.
@MainActor
struct FreeWords {
    /// How well a word fits a property; the best one counts.
    private enum Fit: Int {
        /// It could be nothing else: an option, a number in its unit, an address.
        case exact
        /// A number in a unit that the property does not name yet, or without one for a length of time.
        case loose
        case text
    }

    /// What words that fit no property may become.
    enum Place {
        case length, note
    }

    private let type: EventType
    private let places: Set<Place>
    private let context: CommandContext
    private var open: [PropertyDefinition]
    private var texts: EventTexts
    private var rest: [String] = []
    /// What became of each word, for a person.
    private var remarks: [String] = []

    /// Puts what is said without a key where it belongs.
    ///
    /// - Parameter places: What words that fit no property may become.
    /// - Returns: The texts with keys alone, and what became of the words.
    /// - Throws: ``CommandFailure`` where a word can be meant in two ways.
    static func sorted(
        _ texts: EventTexts, of type: EventType, or places: Set<Place>, in context: CommandContext
    ) throws -> (texts: EventTexts, remark: String) {
        let definitions = try context.lookup.properties(of: type.id).map(\.entity)
        let keys = definitions.map(\.key)
        let free = texts.words.enumerated().filter { Assignment($0.element, among: keys) == nil }
        for (place, word) in free where place > 0 && !QuantityUnit.all(named: word).isEmpty {
            // "km=5 km": the shell has taken the unit for a word of its own.
            guard texts.words[place - 1].last?.isNumber == true else { continue }
            throw CommandFailure.usage(
                "'\(word)' stands alone; write \(texts.words[place - 1])\(word) in one word")
        }
        var words = FreeWords(texts, of: type, or: places, definitions, context)
        for (_, word) in free { try words.place(word) }
        try words.placeRest()
        return (words.texts, words.remarks.isEmpty ? "" : ": " + words.remarks.joined(separator: ", "))
    }

    private init(
        _ texts: EventTexts, of type: EventType, or places: Set<Place>, _ definitions: [PropertyDefinition],
        _ context: CommandContext
    ) {
        let keys = definitions.map(\.key)
        let assigned = texts.words.filter { Assignment($0, among: keys) != nil }
        let given = (texts.properties + assigned).compactMap { Assignment($0, among: keys) }
        (self.type, self.places, self.context, self.texts) = (type, places, context, texts)
        self.texts.properties += assigned
        self.texts.words = []
        open = definitions.filter { definition in
            !given.contains { $0.key.lowercased() == definition.key.lowercased() }
        }
    }

    private mutating func place(_ word: String) throws {
        if word.hasPrefix("=") { throw CommandFailure.usage("'\(word)' has no key before the '='; write KEY=VALUE") }
        if let named = open.first(where: { $0.key.lowercased() == word.lowercased() }) {
            throw CommandFailure.usage(
                "'\(word)' is a property of \(TextTable.singleLine(type.name)); write \(named.key)=VALUE")
        }
        let fitting = open.compactMap { definition in fit(word, definition).map { (definition, $0) } }
        let best = fitting.map(\.1.rawValue).min()
        let chosen = fitting.filter { $0.1.rawValue == best }.map(\.0)
        if best != nil, best != Fit.text.rawValue {
            guard chosen.count == 1 else { throw ambiguous(word, among: chosen) }
            // Metres and minutes have one letter.
            if places.contains(.length), Self.isLength(word), fit("1h", chosen[0]) == nil {
                throw CommandFailure.usage(
                    "'\(word)' can be \(chosen[0].key) or how long it took; write \(chosen[0].key)=\(word) or --for \(word)"
                )
            }
            return assign(word, to: chosen[0])
        }
        if let advice = DecimalComma.advice(word),
            open.contains(where: { fit(DecimalComma.withPoint(word), $0) ?? .text != .text })
        {
            throw CommandFailure.data("'\(word)' is no number here; \(advice); \(DecimalComma.setting)")
        }
        if places.contains(.length), texts.until == nil, texts.length == nil, Self.isLength(word) {
            texts.length = word
            remarks.append("it took \(word)")
            return
        }
        rest.append(word)
    }

    /// Several words without a place of their own are one text.
    private mutating func placeRest() throws {
        if rest.isEmpty { return }
        let text = rest.joined(separator: " ")
        if context.times.isTime(text) {
            throw CommandFailure.usage(
                "'\(text)' is a time; write --at \(quoted(text)), or --note \(quoted(text)) where it is a note")
        }
        let chosen = open.filter { $0.propertyType == .text }
        if chosen.count > 1 { throw ambiguous(text, among: chosen) }
        if let only = chosen.first { return assign(text, to: only) }
        guard places.contains(.note), texts.note == nil else {
            let note = texts.note == nil ? "--note \(quoted(text))" : "all of the note behind --note"
            throw CommandFailure.usage(
                "'\(text)' fits no property of \(TextTable.singleLine(type.name)); write KEY=VALUE, or \(note)")
        }
        texts.note = text
        remarks.append("note \(quoted(text))")
    }

    private mutating func assign(_ word: String, to definition: PropertyDefinition) {
        texts.properties.append("\(definition.key)=\(word)")
        open.removeAll { $0.id == definition.id }
        remarks.append("\(definition.key) \(word)")
    }

    private func fit(_ word: String, _ definition: PropertyDefinition) -> Fit? {
        guard let (_, newUnit) = try? context.properties.read(word, as: definition) else { return nil }
        switch definition.propertyType {
        case .number: return newUnit == nil ? .exact : .loose
        case .duration: return Self.isLength(word) ? .exact : .loose
        case .select, .email: return .exact
        case .boolean: return word.first?.isLetter == true ? .exact : nil
        case .url: return word.contains("://") ? .exact : nil
        case .text: return .text
        // A day that stands alone may as well be when it happened.
        default: return nil
        }
    }

    /// Whether the word is a length of time with its unit.
    private static func isLength(_ word: String) -> Bool {
        word.contains(where: \.isLetter) && DurationText.parse(word) != nil
    }

    private func ambiguous(_ word: String, among definitions: [PropertyDefinition]) -> CommandFailure {
        let ways = definitions.map { "\($0.key)=\(quoted(word))" }
        return .usage(
            "'\(word)' fits \(ways.count) properties of \(TextTable.singleLine(type.name)); write "
                + ways.dropLast().joined(separator: ", ") + " or \(ways[ways.count - 1])")
    }
}
