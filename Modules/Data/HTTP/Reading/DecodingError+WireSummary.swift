extension DecodingError {
    /// What is wrong and where, in one line: `changes[3].id is missing`.
    var wireSummary: String {
        switch self {
        case .keyNotFound(let key, let context):
            "\(Self.path(context.codingPath + [key])) is missing"
        case .valueNotFound(_, let context):
            "\(Self.path(context.codingPath)) is null"
        case .typeMismatch(_, let context):
            "\(Self.path(context.codingPath)) has the wrong type"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? "it is no valid JSON" : "\(Self.path(context.codingPath)): \(context.debugDescription)"
        @unknown default:
            "it cannot be read"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        guard !keys.isEmpty else { return "the whole" }
        return keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
