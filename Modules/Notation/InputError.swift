/// Input of a person or a file that cannot be read.
package struct InputError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Whether the command line or the data is wrong.
    package enum Kind: Sendable {
        case usage
        case data
    }

    package let kind: Kind
    /// The problem and its solution; one line without a full stop.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    package var description: String { message }

    package static func usage(_ message: String) -> InputError { InputError(.usage, message) }
    package static func data(_ message: String) -> InputError { InputError(.data, message) }
}

extension String {
    /// The sentence with a hint after it, in parentheses if the sentence ends with a question.
    package func withHint(_ hint: String) -> String { hasSuffix("?") ? "\(self) (\(hint))" : "\(self); \(hint)" }
}

/// The text, quoted for a shell.
package func quoted(_ text: String) -> String {
    let isPlain = !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./".contains($0)) }
    return isPlain
        ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
