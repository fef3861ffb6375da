import Foundation
public import TrendyDomain

/// Turns bodies of another backend into those of the contract, and back.
///
/// For a backend that has its lists in `{"items": […]}` and each record in `{"data": …}`, under names of its own:
/// ```swift
/// let names = BodyMapping.renaming(["is_purchased": "isPurchased", "updated_at": "modifiedAt"])
/// routes.records["shopping_item"]?.listBody = .each(names).inside(.unwrapping("items"))
/// routes.records["shopping_item"]?.recordBody = names.inside(.enveloped(in: "data"))
/// ```
/// What these do not offer is a closure. What has no mapping is read and written without a detour.
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

extension BodyMapping {
    /// The body of a request, as the backend takes it.
    static func encode(_ value: some Encodable, mapping: BodyMapping?) throws -> Data {
        try encode(mapping) { try WireCoding.encode(value) }
    }

    /// The body of a request whose JSON somebody writes, as the backend takes it.
    static func encode(_ mapping: BodyMapping? = nil, _ json: () throws -> Data) throws -> Data {
        do {
            let body = try json()
            guard let map = mapping?.request else { return body }
            return try WireCoding.encode(map(WireCoding.decode(JSONValue.self, from: body)))
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError.http(
                status: 400, problem: ProblemDetails(detail: "the request cannot be written as JSON: \(error)"))
        }
    }
}
