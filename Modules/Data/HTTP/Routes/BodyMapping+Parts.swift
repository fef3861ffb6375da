import TrendyDomain

// The parts that mappings are put together from.

extension BodyMapping {
    /// Bodies that are a member of an object: requests are put there, answers are taken from there.
    public static func enveloped(in key: String) -> BodyMapping {
        BodyMapping(request: { .object([key: $0]) }, response: unwrapping(key).response)
    }

    /// Objects whose members have other names: each name of the contract, with that of the backend.
    ///
    /// Members that are not listed keep their names. A member of an answer that happens to have the contract's name
    /// of a listed one is left out: it is something else.
    public static func renaming(_ names: [String: String]) -> BodyMapping {
        let reversed = Dictionary(names.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
        return BodyMapping(request: { rename($0, names) }, response: { rename($0, reversed) })
    }

    /// Lists whose elements are mapped one by one; anything else is left as it is.
    public static func each(_ element: BodyMapping) -> BodyMapping {
        element.lifted { map in
            { body in
                guard case .array(let elements) = body else { return body }
                return .array(try elements.map(map))
            }
        }
    }

    /// Objects one of whose members is mapped; one that is missing or null is left so.
    public static func member(_ key: String, _ value: BodyMapping) -> BodyMapping {
        value.lifted { map in
            { body in
                guard var members = body.objectValue, let member = members[key], member != .null else { return body }
                members[key] = try map(member)
                return .object(members)
            }
        }
    }

    /// This mapping, for what lies within the other: a request goes through this one first, an answer through the
    /// other.
    public func inside(_ outer: BodyMapping) -> BodyMapping {
        BodyMapping(
            request: Self.chain(request, outer.request), response: Self.chain(outer.response, response))
    }

    private typealias Step = @Sendable (JSONValue) throws -> JSONValue

    private func lifted(_ lift: (@escaping Step) -> Step) -> BodyMapping {
        BodyMapping(request: request.map(lift), response: response.map(lift))
    }

    private static func chain(_ first: Step?, _ second: Step?) -> Step? {
        guard let first, let second else { return first ?? second }
        return { try second(first($0)) }
    }

    private static func rename(_ body: JSONValue, _ names: [String: String]) -> JSONValue {
        guard let members = body.objectValue else { return body }
        let taken = Set(names.values)
        var renamed = members.filter { names[$0.key] == nil && !taken.contains($0.key) }
        for (name, value) in members { if let other = names[name] { renamed[other] = value } }
        return .object(renamed)
    }
}
