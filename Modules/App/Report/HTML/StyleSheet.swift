import TrendyTerminal

/// The rules for how a page looks, which the program alone writes.
///
/// A style sheet is no place for escaped text: it takes what is in the source of the program, and colours.
struct StyleSheet: Sendable {
    private(set) var text: String

    init(_ rules: StaticString) {
        text = "\(rules)"
    }

    /// Adds the colours that classes of that name, `type-0` and so on, draw in: one on light paper, one on dark.
    mutating func addColors(_ colors: [ThemeColor], class name: StaticString) {
        let rules = { (shade: KeyPath<ThemeColor, RGBColor>) in
            colors.enumerated().map { ".\(name)-\($0){--c:\($1[keyPath: shade].hex)}" }.joined()
        }
        text += rules(\.onLight) + "@media screen and (prefers-color-scheme:dark){\(rules(\.onDark))}"
    }
}
