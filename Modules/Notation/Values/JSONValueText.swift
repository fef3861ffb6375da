package import TrendyDomain

/// JSON values for people.
package enum JSONValueText {
    /// Texts without quotes, numbers in the usual form, `-` for empty values, and JSON for everything else.
    package static func of(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .string(let text): text
        case .number(let number): NumberText.text(number)
        default: (try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "?"
        }
    }
}
