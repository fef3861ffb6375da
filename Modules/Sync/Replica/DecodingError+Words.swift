extension DecodingError {
    /// What is wrong and where, as a person can read it: `the field 'timestamp' is missing`.
    var inWords: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.name(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context):
            "\(Self.name(context.codingPath)) is empty"
        case .typeMismatch(_, let context):
            "\(Self.name(context.codingPath)) has a value of the wrong kind"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no valid JSON" : "\(Self.name(context.codingPath)) cannot be read: \(context.debugDescription)"
        @unknown default:
            "it cannot be read"
        }
    }

    private static func name(_ path: [any CodingKey]) -> String {
        if path.isEmpty { return "the whole" }
        return "the field '\(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))'"
    }
}

/// The error in words that a person can read.
func inWords(_ error: any Error) -> String { (error as? DecodingError)?.inWords ?? "\(error)" }
