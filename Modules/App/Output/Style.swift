/// Emphasis on a terminal, none elsewhere or where `NO_COLOR` asks for none (no-color.org).
struct Style: Sendable {
    let isOn: Bool

    init(isTerminal: Bool, environment: [String: String]) {
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isOn = isTerminal && !refused
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
