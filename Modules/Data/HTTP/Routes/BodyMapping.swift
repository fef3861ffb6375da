public import TrendyDomain

/// Turns bodies of another backend into those of the contract, and back.
///
/// For a backend that wraps its lists in `{"data": […]}`:
/// ```swift
/// routes.records["shopping_item"]?.listBody = .unwrapping("data")
/// ```
/// What has no mapping is read and written without a detour.
public struct BodyMapping: Sendable {
    /// Turns the contract's body into the one that the backend takes; nil where they are the same.
    public var request: (@Sendable (JSONValue) throws -> JSONValue)?
    /// Turns the backend's answer into the contract's; nil where they are the same.
    public var response: (@Sendable (JSONValue) throws -> JSONValue)?

    /// Makes a mapping of one or both directions.
    public init(
        request: (@Sendable (JSONValue) throws -> JSONValue)? = nil,
        response: (@Sendable (JSONValue) throws -> JSONValue)? = nil
    ) {
        self.request = request
        self.response = response
    }

    /// Answers whose content is a member of an object, found along these keys.
    public static func unwrapping(_ keys: String...) -> BodyMapping {
        BodyMapping(response: { body in
            try keys.reduce(body) { body, key in
                guard let member = body.objectValue?[key] else {
                    throw APIError.malformedResponse("the answer has no '\(key)'")
                }
                return member
            }
        })
    }
}
