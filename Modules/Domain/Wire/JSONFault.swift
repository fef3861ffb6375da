/// What is wrong at a place of some JSON.
///
/// It is a class because every token may throw one: a value of its size would slow all that is sound.
package final class JSONFault: Error, Sendable {
    /// What kinds of faults there are; as a set, those that a ``JSONReader`` notes.
    package struct Kind: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The text is no JSON (RFC 8259).
        package static let syntax = Kind(rawValue: 1)
        /// Bytes in a text are no UTF-8.
        package static let encoding = Kind(rawValue: 2)
        /// A control character stands in a text without an escape.
        package static let control = Kind(rawValue: 4)
        /// A backslash begins no escape.
        package static let escape = Kind(rawValue: 8)
        /// Half of a surrogate pair is escaped.
        package static let half = Kind(rawValue: 16)
        /// A number is larger than any `Double`.
        package static let infinite = Kind(rawValue: 32)
        /// `NaN` or `Infinity` stands in the place of a number.
        package static let word = Kind(rawValue: 512)
        /// Values lie too deep in each other.
        package static let depth = Kind(rawValue: 64)
        /// A number is nearer to zero than any other `Double`. It is read as 0, and a fault only where it is noted.
        package static let vanishing = Kind(rawValue: 128)
        /// U+0000 is escaped. It is a character like others, and a fault only where it is noted.
        package static let zero = Kind(rawValue: 256)

        /// All faults of a value in the place of which another can be put.
        package static let ofValues: Kind = [.encoding, .control, .escape, .half, .infinite, .word, .depth]
    }

    package let kind: Kind
    /// What is wrong, as a clause.
    package let reason: String
    /// The bytes that are wrong; only the first, where the text is no JSON.
    package let place: Range<Int>

    init(kind: Kind, reason: String, place: Range<Int>) {
        self.kind = kind
        self.reason = reason
        self.place = place
    }

    /// The error that decoders throw, with the fault beneath it.
    var decodingError: DecodingError {
        .dataCorrupted(
            .init(
                codingPath: [], debugDescription: "malformed JSON: \(reason) at byte \(place.lowerBound)",
                underlyingError: self))
    }
}

/// Follows the brackets and the texts of some JSON, byte by byte, whatever stands in them.
package struct JSONNesting {
    /// How many brackets are open; less than 0 where one was closed that was not open.
    package private(set) var depth = 0
    /// Whether a text is open.
    package private(set) var isInText = false
    private var isEscaped = false

    package init() {}

    /// Whether nothing is open.
    package var isClosed: Bool { depth == 0 && !isInText }

    /// Goes on by a byte.
    package mutating func pass(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText.toggle()
        case UInt8(ascii: "\\") where isInText: isEscaped = true
        case UInt8(ascii: "{") where !isInText, UInt8(ascii: "[") where !isInText: depth += 1
        case UInt8(ascii: "}") where !isInText, UInt8(ascii: "]") where !isInText: depth -= 1
        default: break
        }
    }
}
