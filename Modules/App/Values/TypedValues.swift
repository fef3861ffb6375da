import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// An assignment `KEY=VALUE`.
struct Assignment: Equatable {
    let key: String
    let value: String

    /// - Parameters:
    ///   - text: The typed text.
    ///   - keys: The known keys, which can contain `=` if another program created them. The longest matching key counts,
    ///     by its ``NameKey``; without a match the key ends at the first `=`.
    init?(_ text: String, among keys: [String]) {
        let known = Set(keys.map { NameKey($0) })
        let signs = text.indices.filter { text[$0] == "=" && $0 > text.startIndex }
        guard let first = signs.first else { return nil }
        let place = signs.last { known.contains(NameKey(String(text[..<$0]))) } ?? first
        key = String(text[..<place])
        value = String(text[text.index(after: place)...])
    }

    /// Whether it gives a value to a key.
    func isOf(_ key: String) -> Bool { Names.areSame(self.key, key) }

    /// Refuses a key that `KEY=VALUE` could not name.
    static func requireUsable(_ key: String) throws(CommandFailure) {
        if let obstacle = obstacle(to: key) { throw .usage(obstacle) }
    }

    /// The error for a key; nil if it is usable.
    static func obstacle(to key: String) -> String? {
        let words = "use one word as the key, and --label for the text to show"
        if key.isEmpty { return "the key of a property must not be empty; \(words)" }
        if key.contains("=") { return "'\(key)' cannot be a key: in KEY=VALUE the key ends at '='; \(words)" }
        if key.contains(where: \.isWhitespace) {
            return "'\(key)' cannot be a key: the shell would split KEY=VALUE into several words; \(words)"
        }
        if let obstacle = Names.obstacle(to: key) { return obstacle }
        if key.hasPrefix("-") { return "'\(key)' cannot be a key: KEY=VALUE would look like an option; \(words)" }
        return nil
    }
}

/// Colours of event types.
enum ColorText {
    /// The colour of `#rgb`, `rrggbb` or a common name, as `#RRGGBB`.
    ///
    /// - Throws: ``CommandFailure`` for another text.
    static func parse(_ text: String) throws(CommandFailure) -> String {
        if let hex = names[text.lowercased()] { return hex }
        let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
        let isHex = digits.allSatisfy { $0.isASCII && $0.isHexDigit }
        switch digits.count {
        case 6 where isHex: return "#" + digits.uppercased()
        case 3 where isHex: return "#" + digits.uppercased().map { "\($0)\($0)" }.joined()
        default:
            let near = Suggestion.nearest(to: text, among: known).map { "; did you mean '\($0)'?" } ?? ""
            throw .data(
                "'\(text)' is not a colour; write it like #3B82F6, or one of \(known.joined(separator: ", "))\(near)")
        }
    }

    static var known: [String] { names.keys.sorted() }

    private static let names = [
        "black": "#000000", "blue": "#3B82F6", "brown": "#92400E", "cyan": "#06B6D4", "gray": "#6B7280",
        "green": "#22C55E", "grey": "#6B7280", "indigo": "#6366F1", "orange": "#F97316", "pink": "#EC4899",
        "purple": "#A855F7", "red": "#EF4444", "teal": "#14B8A6", "white": "#FFFFFF", "yellow": "#EAB308",
    ]
}

/// The fields of a record for people. Each key of a map counts as a field.
struct FieldText {
    let times: WhenParser

    /// `notes`, or `property mood`.
    static func name(_ place: FieldPath?) -> String {
        guard let place else { return "a field" }
        return place.key.map { "property \($0)" } ?? place.field
    }

    /// The text of a value.
    func value(_ value: JSONValue, at place: FieldPath?) -> String {
        guard place?.key != nil, value != .null, let data = try? WireCoding.encode(value),
            let property = try? WireCoding.decode(PropertyValue.self, from: data)
        else { return JSONValueText.of(value) }
        return PropertyText(times: times).text(property)
    }

    /// The fields of a record, sorted by name.
    static func places(of document: [String: JSONValue], _ entityType: EntityType) -> [FieldPath] {
        let places = EntitySchema.trendy.type(for: entityType)?.places(of: document)
        return (places ?? Set(document.keys.map { FieldPath($0) })).sorted()
    }
}

/// The error for a number with a decimal comma in an option.
extension DecimalComma {
    /// The options that take fractions.
    private static let fractionOptions = ["--lat", "--lon", "--radius"]

    /// The message for a number with a comma; nil to use the parser's message.
    ///
    /// - Parameter said: The parser's own message.
    static func message(inPlaceOf said: String) -> String? {
        let parts = said.split(separator: "'", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0] == "The value ", parts[2] == " is invalid for " else { return nil }
        let (text, option) = (String(parts[1]), parts[3].prefix { $0 != " " })
        guard fractionOptions.contains(String(option)), NumberText.parse(withPoint(text)) != nil,
            let advice = advice(text)
        else { return nil }
        return "\(said); \(advice)"
    }
}

extension LocalWrites {
    /// Stores the new units of properties.
    ///
    /// - Throws: ``CommandFailure`` if a property was changed meanwhile, because it may have another unit now.
    func store(_ units: [AdoptedUnit]) throws {
        for named in units {
            let present = try find(PropertyDefinition.self, id: named.before.id)
            guard let present, present.label == named.before.label || present.label == named.after.label else {
                throw CommandFailure.data(
                    "the property '\(named.before.key)' was changed in the meantime; nothing was stored; try again")
            }
            try change(named.before, to: named.after, named: named.before.key)
        }
    }
}
