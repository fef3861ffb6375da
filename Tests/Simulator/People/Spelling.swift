/// How people write the names of what all of them do: those of each device in their own way. What they mean is one thing.
///
/// It knows the few spellings that there are, and nothing of the rule by which names are compared.
enum Spelling {
    static let words = ["coffee", "run", "tea", "headache"]

    /// A word as people of a device write it: plain, with a capital and a blank at its end, or in full width.
    static func name(_ word: String, on device: Int) -> String {
        switch device % 3 {
        case 1: word.prefix(1).uppercased() + word.dropFirst() + " "
        case 2: String(String.UnicodeScalarView(word.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) }))
        default: word
        }
    }

    /// What a name means; the name itself where all write it alike.
    static func meaning(of name: String) -> String { meanings[name] ?? name }

    /// All ways to write what a name means; the name alone where all write it alike.
    static func variants(of name: String) -> [String] {
        guard let word = meanings[name] else { return [name] }
        return (0..<3).map { Self.name(word, on: $0) }
    }

    private static let meanings = Dictionary(
        words.flatMap { word in (0..<3).map { (name(word, on: $0), word) } }, uniquingKeysWith: { first, _ in first })
}
