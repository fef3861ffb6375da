import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The words of an event that have no key: `trendy coffee "double espresso"`, `trendy run 5km`, `trendy coding 1h`.
///
/// Each word goes to the one property that it fits. A duration that fits none is the duration of the event. All other
/// words are the note.
@MainActor
struct UnkeyedWords {
    /// How well a word fits a property; the best one counts.
    private enum Fit: Int {
        /// It can mean nothing else: an option, a number in the right unit, an address.
        case exact
        /// A number in a unit for a property without one, or a number without a unit for a duration.
        case loose
        case text
    }

    /// The fields that words may become if they fit no property.
    enum Place {
        case length, note
    }

    private let type: EventType
    private let places: Set<Place>
    private let context: CommandContext
    private var open: [PropertyDefinition]
    private var texts: EventInput
    private var rest: [String] = []
    /// The fields that the words became, for the output.
    private var remarks: [String] = []

    /// Assigns the words without a key to fields.
    ///
    /// - Parameter places: The fields that words may become if they fit no property.
    /// - Returns: The texts without free words, and a remark on the assignment.
    /// - Throws: ``CommandFailure`` if a word has two meanings.
    static func sorted(
        _ texts: EventInput, of type: EventType, or places: Set<Place>, in context: CommandContext
    ) throws -> (texts: EventInput, remark: String) {
        let definitions = try context.lookup.properties(of: type.id).map(\.entity)
        let keys = definitions.map(\.key)
        let free = texts.words.enumerated().filter { Assignment($0.element, among: keys) == nil }
        for (place, word) in free where place > 0 && !QuantityUnit.all(named: word).isEmpty {
            // "km=5 km" without quotes: the unit is a word of its own.
            guard texts.words[place - 1].last?.isNumber == true else { continue }
            throw CommandFailure.usage(
                "'\(word)' is a separate word; write \(texts.words[place - 1])\(word)")
        }
        var words = UnkeyedWords(texts, of: type, or: places, definitions, context)
        for (_, word) in free { try words.place(word) }
        try words.placeRest()
        return (words.texts, words.remarks.isEmpty ? "" : ": " + words.remarks.joined(separator: ", "))
    }

    private init(
        _ texts: EventInput, of type: EventType, or places: Set<Place>, _ definitions: [PropertyDefinition],
        _ context: CommandContext
    ) {
        let keys = definitions.map(\.key)
        let assigned = texts.words.filter { Assignment($0, among: keys) != nil }
        let given = (texts.properties + assigned).compactMap { Assignment($0, among: keys) }
        (self.type, self.places, self.context, self.texts) = (type, places, context, texts)
        self.texts.properties += assigned
        self.texts.words = []
        open = definitions.filter { definition in
            !given.contains { Names.areSame($0.key, definition.key) }
        }
    }

    private mutating func place(_ word: String) throws {
        if word.hasPrefix("=") { throw CommandFailure.usage("'\(word)' has no key before the '='; write KEY=VALUE") }
        if let named = open.first(where: { Names.areSame($0.key, word) }) {
            throw CommandFailure.usage(
                "'\(word)' is a property of \(TextTable.singleLine(type.name)); write \(named.key)=VALUE")
        }
        let fitting = open.compactMap { definition in fit(word, definition).map { (definition, $0) } }
        let best = fitting.map(\.1.rawValue).min()
        let chosen = fitting.filter { $0.1.rawValue == best }.map(\.0)
        if best != nil, best != Fit.text.rawValue {
            guard chosen.count == 1 else { throw ambiguous(word, among: chosen) }
            // 'm' is both metres and minutes.
            if places.contains(.length), Self.isLength(word), fit("1h", chosen[0]) == nil {
                throw CommandFailure.usage(
                    "'\(word)' can be \(chosen[0].key) or the duration; write \(chosen[0].key)=\(word) or --for \(word)"
                )
            }
            return assign(word, to: chosen[0])
        }
        if let advice = DecimalComma.advice(word),
            open.contains(where: { fit(DecimalComma.withPoint(word), $0) ?? .text != .text })
        {
            throw CommandFailure.data("'\(word)' is not a number here; \(advice); \(DecimalComma.setting)")
        }
        if places.contains(.length), texts.until == nil, texts.length == nil, Self.isLength(word) {
            texts.length = word
            remarks.append("duration \(word)")
            return
        }
        rest.append(word)
    }

    /// Joins the remaining words to one text.
    private mutating func placeRest() throws {
        if rest.isEmpty { return }
        let text = rest.joined(separator: " ")
        if context.times.isTime(text) {
            throw CommandFailure.usage(
                "'\(text)' is a time; write --at \(quoted(text)), or --note \(quoted(text)) if it is a note")
        }
        let chosen = open.filter { $0.propertyType == .text }
        if chosen.count > 1 { throw ambiguous(text, among: chosen) }
        if let only = chosen.first { return assign(text, to: only) }
        guard places.contains(.note), texts.note == nil else {
            let note = texts.note == nil ? "--note \(quoted(text))" : "put the whole note after --note"
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
        // A date could also be the time of the event.
        default: return nil
        }
    }

    /// Whether the word is a duration with a unit.
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
