/// The characters that charts and tables are drawn with.
struct Glyphs: Sendable, Hashable {
    let isASCII: Bool
    /// Says that text was cut off.
    let ellipsis: String
    /// Marks a type in its colour.
    let bullet: String
    /// Stands between two facts about the same thing.
    let separator: String
    /// Stands for nothing at all.
    let none: String

    static let unicode = Glyphs(isASCII: false, ellipsis: "…", bullet: "●", separator: "·", none: "–")
    /// For terminals and fonts without more: what `--ascii` asks for.
    static let ascii = Glyphs(isASCII: true, ellipsis: "...", bullet: "*", separator: "-", none: "-")
}
