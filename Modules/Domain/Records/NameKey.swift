import Foundation

/// A name in the form in which names are compared: two names are the same if their keys are equal.
///
/// It is Unicode's caseless match of identifiers (The Unicode Standard, D147) with blanks made alike, and asks for no
/// language. So composed and decomposed letters are the same, and so are upper and lower case (`STRASSE`, `Straße`),
/// full and half width (`ｔｅａ`, `tea`), names with and without characters that nobody sees (zero width, soft
/// hyphens), and any blanks between words. Accents, and the dots of Turkish letters, make names differ.
///
/// Devices and servers compare by this key alone. A name itself is kept as a person has written it.
public struct NameKey: Sendable, Hashable {
    /// The key as text. It is its own key, and texts of equal keys have the same bytes.
    public let text: String

    /// Makes the key of a name.
    public init(_ name: String) {
        text = Self.ofPlain(name) ?? Self.words(Self.folded(Self.folded(name)))
    }

    /// The key of a name of ASCII letters without two blanks in a row, which most names are; nil for others.
    private static func ofPlain(_ name: String) -> String? {
        var last = UInt8(ascii: " ")
        for byte in name.utf8 {
            guard (0x20..<0x7F).contains(byte), byte != 0x20 || last != 0x20 else { return nil }
            last = byte
        }
        return last == 0x20 && !name.isEmpty ? nil : name.lowercased()
    }

    /// Without differences of form and case, and without what is not seen. Some letters need it twice, because what
    /// their folding makes can be decomposed again.
    private static func folded(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in name.decomposedStringWithCompatibilityMapping.unicodeScalars where !isInvisible(scalar) {
            folded.append(contentsOf: caseFolded(scalar).unicodeScalars)
        }
        return String(folded).decomposedStringWithCompatibilityMapping
    }

    /// Whether a character changes nothing that is seen. Tags do: the flags of England and Scotland differ in nothing
    /// else.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint && !(0xE0020...0xE007F).contains(scalar.value)
    }

    /// The full case folding of Unicode, which the standard library has no function for: lower case of upper case of
    /// lower case gives the same letters, but for the dotless i, which is no other letter's lower case.
    private static func caseFolded(_ scalar: Unicode.Scalar) -> String {
        let dotless = "\u{131}"
        let lower = scalar.properties.lowercaseMapping
        if lower == dotless { return dotless }
        return lower.unicodeScalars.map(\.properties.uppercaseMapping).joined().unicodeScalars
            .map(\.properties.lowercaseMapping).joined()
    }

    private static func words(_ text: String) -> String {
        text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(separator: " ")
    }
}
