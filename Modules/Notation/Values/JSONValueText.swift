package import TrendyDomain

/// Any JSON value as people read it.
package enum JSONValueText {
    /// Texts without quotes, numbers as everywhere, what is empty as `-`, and everything else as JSON.
    package static func of(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .string(let text): text
        case .number(let number): NumberText.text(number)
        default: (try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
        }
    }
}
