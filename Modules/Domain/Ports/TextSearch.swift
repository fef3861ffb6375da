import Foundation

/// A text that is looked for in others, whatever its case.
///
/// An ASCII text is compared character by character as it is written; of any other, what Unicode calls
/// equivalent is the same (`é` as one character and as two).
public struct TextSearch: Sendable, Hashable {
    /// The text to look for, in lower case, without blanks around it.
    public let text: String

    /// Nil where the text is blank: then there is nothing to look for.
    public init?(_ text: String) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed.isEmpty { return nil }
        self.text = trimmed.lowercased()
    }

    /// Looks for a text as it is, which is in lower case and not blank.
    public init(lowercased text: String) { self.text = text }

    /// True where only the case of ASCII letters counts.
    public var isASCII: Bool { Self.isASCII(text) }

    /// True where the other text contains this one.
    public func isFound(in other: String) -> Bool { Self.isFound(text, in: other) }

    /// True where the other text is this one.
    public func isEqual(to other: String) -> Bool { Self.isEqual(text, to: other) }

    /// True where a text is another, which is in lower case.
    public static func isEqual(_ whole: String, to text: String) -> Bool {
        isASCII(whole) ? asciiLowercased(text) == Array(whole.utf8) : text.lowercased() == whole
    }

    /// True where a text contains another, which is in lower case.
    public static func isFound(_ part: String, in text: String) -> Bool {
        guard isASCII(part) else { return text.lowercased().contains(part) }
        return asciiLowercased(text).contains(Array(part.utf8))
    }

    private static func asciiLowercased(_ text: String) -> [UInt8] {
        text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
