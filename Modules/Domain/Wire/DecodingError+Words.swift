extension DecodingError {
    /// What is wrong and where, in one clause that a person can read: `'changes[3].id' is missing`.
    package var inWords: String {
        switch self {
        case .keyNotFound(let key, let context): "\(Self.name(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context): "\(Self.name(context.codingPath)) is null"
        case .typeMismatch(let type, let context): "\(Self.name(context.codingPath)) is \(Self.complement(type))"
        case .dataCorrupted(let context):
            // An underlying error at the top comes from the JSON reader, so the whole text is at fault and not a field.
            context.codingPath.isEmpty && context.underlyingError != nil
                ? "it is no valid JSON" : "\(Self.name(context.codingPath)) cannot be read: \(context.debugDescription)"
        @unknown default: "it cannot be read"
        }
    }

    private static func name(_ keys: [any CodingKey]) -> String {
        if keys.isEmpty { return "it" }
        let path = keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return "'\(path)'"
    }

    /// What a value is not.
    private static func complement(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "no text"
        case is Bool.Type: "neither true nor false"
        case is Double.Type, is any FixedWidthInteger.Type: "no number"
        case is [Any].Type: "no array"
        case is [String: Any].Type: "no object"
        default: "of another kind"
        }
    }
}

/// What is wrong with JSON that could not be decoded, as a person can read it.
package func inWords(_ error: any Error) -> String { (error as? DecodingError)?.inWords ?? "\(error)" }
