package import TrendyDomain

/// The unit that a property's label or key names: `Distance (km)`, `distance_km`, `km`.
package struct PropertyUnit {
    /// As it is written there.
    package let text: String
    /// As a sentence has it.
    package var name: String { QuantityUnit.name(text) }
    /// The units that this can mean; none for one that is not known here, like `bpm`.
    package let meanings: [QuantityUnit]

    /// The unit of a property; nil where it names none.
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

    /// The unit of a length of time that label or key name: seconds, minutes or hours; nil where they name none.
    static func ofTime(_ definition: PropertyDefinition) -> QuantityUnit? {
        let texts = [bracketed(definition.label), lastWord(definition.label), lastWord(definition.key)]
        let meanings = texts.compactMap { $0 }.flatMap { QuantityUnit.all(named: $0) }
        // Nobody counts in the days of 'best day'.
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

    /// The last word of a name, where that is a unit: `distance_km`, `distance-km`, `distanceKm`, `Distance in km`.
    private static func lastWord(_ name: String) -> String? {
        let words = name.split { $0.isWhitespace || "_-.,/:".contains($0) }
        guard let last = words.last else { return nil }
        let hump = last.lastIndex { $0.isUppercase }.map { String(last[$0...]) }
        return [String(last), hump].compactMap { $0 }.first { !QuantityUnit.all(named: $0).isEmpty }
    }

    /// Whether both mean the same, in any case and number.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.lowercased(), right.lowercased())
        return left == right || left + "s" == right || right + "s" == left
    }
}
