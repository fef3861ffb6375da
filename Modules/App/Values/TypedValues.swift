import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// `KEY=VALUE` as a person writes it.
struct Assignment: Equatable {
    let key: String
    let value: String

    /// - Parameters:
    ///   - text: What was written.
    ///   - keys: Those that there are. What other programs have made can have a `=` in it: the longest that fits is
    ///     meant, whatever its case, and where none does what stands before the first `=`.
    init?(_ text: String, among keys: [String]) {
        let folded = Set(keys.map { $0.lowercased() })
        let signs = text.indices.filter { text[$0] == "=" && $0 > text.startIndex }
        guard let first = signs.first else { return nil }
        let place = signs.last { folded.contains(text[..<$0].lowercased()) } ?? first
        key = String(text[..<place])
        value = String(text[text.index(after: place)...])
    }

    /// Refuses a key for a new property that no `KEY=VALUE` could name.
    static func requireUsable(_ key: String) throws(CommandFailure) {
        if let obstacle = obstacle(to: key) { throw .usage(obstacle) }
    }

    /// Why a new property cannot have a key, and what to do; nil where it can.
    static func obstacle(to key: String) -> String? {
        let words = "take one word, and write what people read as --label"
        if key.isEmpty { return "the key of a property must not be empty; \(words)" }
        if key.contains("=") { return "'\(key)' can be no key: KEY=VALUE ends the key at the '='; \(words)" }
        if key.contains(where: \.isWhitespace) {
            return "'\(key)' can be no key: the shell would take KEY=VALUE for several words; \(words)"
        }
        if let obstacle = Names.obstacle(to: key) { return obstacle }
        if key.hasPrefix("-") { return "'\(key)' can be no key: KEY=VALUE would look like an option; \(words)" }
        return nil
    }
}

/// Colours of event types.
enum ColorText {
    /// The `#RRGGBB` that `#rgb`, `rrggbb` or a common name means.
    ///
    /// - Throws: ``CommandFailure`` that says how a colour is written.
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
                "'\(text)' is no colour; write it like #3B82F6, or one of \(known.joined(separator: ", "))\(near)")
        }
    }

    static var known: [String] { names.keys.sorted() }

    private static let names = [
        "black": "#000000", "blue": "#3B82F6", "brown": "#92400E", "cyan": "#06B6D4", "gray": "#6B7280",
        "green": "#22C55E", "grey": "#6B7280", "indigo": "#6366F1", "orange": "#F97316", "pink": "#EC4899",
        "purple": "#A855F7", "red": "#EF4444", "teal": "#14B8A6", "white": "#FFFFFF", "yellow": "#EAB308",
    ]
}

/// The fields of any kind of record as people read them; of a field that is a map, each key by itself.
struct FieldText {
    let times: WhenParser

    /// `notes`, or `property mood`.
    static func name(_ place: FieldPath?) -> String {
        guard let place else { return "a field" }
        return place.key.map { "property \($0)" } ?? place.field
    }

    /// The value at a place.
    func value(_ value: JSONValue, at place: FieldPath?) -> String {
        guard place?.key != nil, value != .null, let data = try? WireCoding.encode(value),
            let property = try? WireCoding.decode(PropertyValue.self, from: data)
        else { return JSONValueText.of(value) }
        return PropertyText(times: times).text(property)
    }

    /// The places of a document of any kind, in the order of their names.
    static func places(of document: [String: JSONValue], _ entityType: EntityType) -> [FieldPath] {
        let places = EntitySchema.trendy.type(for: entityType)?.places(of: document)
        return (places ?? Set(document.keys.map { FieldPath($0) })).sorted()
    }
}

/// Says how a number with a comma is written here.
extension DecimalComma {
    /// The options that take numbers with a fraction; the other ones take whole numbers.
    private static let fractionOptions = ["--lat", "--lon", "--radius"]

    /// The message for an option's number that has a comma; nil where the parser says something else.
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
    /// Stores that properties name their units.
    ///
    /// - Throws: ``CommandFailure`` where one was changed in the meantime: what was written may mean another unit then.
    func store(_ units: [NamedUnit]) throws {
        for named in units {
            let present = try find(PropertyDefinition.self, id: named.before.id)
            guard let present, present.label == named.before.label || present.label == named.after.label else {
                throw CommandFailure.data(
                    "the property '\(named.before.key)' was changed in the meantime; nothing was stored, try again")
            }
            try change(named.before, to: named.after, named: named.before.key)
        }
    }
}
