import ArgumentParser
import TrendyNotation

/// Reads a word that names one of some choices, whatever its case.
///
/// - Throws: `ValidationError` that names the choices, and the nearest one.
func choice<Value: RawRepresentable & CaseIterable>(_ text: String) throws -> Value where Value.RawValue == String {
    if let value = Value(rawValue: text.lowercased()) { return value }
    let names = Value.allCases.map(\.rawValue)
    let near = Suggestion.nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
    throw ValidationError("there is \(names.joined(separator: ", "))\(near)")
}
