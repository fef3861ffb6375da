/// Emphasis and colours on a terminal, none elsewhere or where `NO_COLOR` asks for none (no-color.org).
struct Style: Sendable, Hashable {
    /// How many colours the terminal has.
    enum Depth: Sendable, Hashable {
        /// The 256 of xterm.
        case palette
        /// 16 million, where `COLORTERM` says so.
        case trueColor
    }

    let isOn: Bool
    private let depth: Depth

    init(isTerminal: Bool, environment: [String: String]) {
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isOn = isTerminal && !refused
        depth = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased()) ? .trueColor : .palette
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }

    /// The text in a colour; as it is where there is no colour.
    func colored(_ text: String, _ color: RGBColor?) -> String {
        guard isOn, let color else { return text }
        switch depth {
        case .palette: return wrap(text, "38;5;\(color.paletteIndex)")
        case .trueColor: return wrap(text, "38;2;\(color.red);\(color.green);\(color.blue)")
        }
    }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
