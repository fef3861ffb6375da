import TrendyNotation
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
