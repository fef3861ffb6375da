package import TrendyDomain

/// The unit in a property's label or key: `Distance (km)`, `distance_km`, `km`.
package struct PropertyUnit {
    /// The unit as written there.
    package let text: String
    /// The unit for sentences.
    package var name: String { QuantityUnit.name(text) }
    /// The known units with this name; empty for other units, like `bpm`.
    package let meanings: [QuantityUnit]

    /// The unit of a property; nil if it has none.
    package init?(of definition: PropertyDefinition) {
        if let text = Self.bracketed(definition.label) {
            self.init(text)
        } else if let text = Self.lastWord(definition.label) ?? Self.lastWord(definition.key) {
            self.init(text)
        } else {
            return nil
        }
    }

    private init(_ text: String) {
        self.text = text
        meanings = QuantityUnit.all(named: text)
    }

    /// The unit of a duration property: seconds, minutes or hours; nil if it has none.
    static func ofTime(_ definition: PropertyDefinition) -> QuantityUnit? {
        let texts = [bracketed(definition.label), lastWord(definition.label), lastWord(definition.key)]
        let meanings = texts.compactMap { $0 }.flatMap { QuantityUnit.all(named: $0) }
        // The 'day' in 'best day' is not a unit.
        return meanings.first { $0.dimension == .duration && (1...3600).contains($0.size) }
    }

    private static func bracketed(_ label: String) -> String? {
        let pairs: [Character: Character] = [")": "(", "]": "["]
        let text = Names.trimmed(label)
        guard let last = text.last, let opening = pairs[last], let start = text.lastIndex(of: opening) else {
            return nil
        }
        let inner = Names.trimmed(String(text[text.index(after: start)...].dropLast()))
        return inner.isEmpty ? nil : inner
    }

    /// The last word of a name, if it is a unit: `distance_km`, `distance-km`, `distanceKm`, `Distance in km`.
    private static func lastWord(_ name: String) -> String? {
        let words = name.split { $0.isWhitespace || "_-.,/:".contains($0) }
        guard let last = words.last else { return nil }
        let hump = last.lastIndex { $0.isUppercase }.map { String(last[$0...]) }
        return [String(last), hump].compactMap { $0 }.first { !QuantityUnit.all(named: $0).isEmpty }
    }

    /// Whether both are the same unit, ignoring case and plural.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.lowercased(), right.lowercased())
        return left == right || left + "s" == right || right + "s" == left
    }
}
