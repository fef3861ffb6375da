extension String {
    /// More letters than these say no more of a word.
    static let longestWord = 60

    /// The text with its longest words cut; paths and addresses, of which each part counts, only where they are endless.
    var withoutLongWords: String {
        guard utf8.count > Self.longestWord else { return self }
        return split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            let most = word.contains("/") ? 20 * Self.longestWord : Self.longestWord
            guard word.count > most else { return String(word) }
            // What closes a quotation, and the sentence, stays.
            let end = String(word.reversed().prefix { "'\",;.:?!)".contains($0) }.prefix(3).reversed())
            return word.prefix(most) + "…" + end
        }.joined(separator: " ")
    }
}
