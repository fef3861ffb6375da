/// A text that must not reach a log: it shows itself as `(secret)` wherever it is described or dumped.
public struct Secret: Sendable, Hashable, Codable {
    /// The text itself.
    public let value: String

    /// Wraps a text.
    public init(_ value: String) { self.value = value }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the text itself: for the request and the file that it is meant for.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A placeholder, never the secret itself.
    public var description: String { "(secret)" }
    /// A placeholder, never the secret itself.
    public var debugDescription: String { "(secret)" }
    /// A mirror without children, so that `dump` does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
