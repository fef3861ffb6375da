import Foundation
import TrendyDomain

/// The body of a batch: one member that holds the records. Each is kept as the bytes it came in, so that one
/// that cannot be read does not cost the others.
struct BatchBody {
    let items: [Data]

    /// - Throws: ``ServerProblem`` where the body is no JSON object with an array in that member.
    init(_ body: Data, member: String) throws(ServerProblem) {
        let outline = try JSONBody.outline(of: body)
        guard outline.kind == .object else { throw ServerProblem(.badRequest, "the body must be an object") }
        guard let value = outline.members.last(where: { $0.name == member }) else {
            throw ServerProblem.field(member, "is required", code: "required")
        }
        guard value.kind == .array else { throw ServerProblem.field(member, "must be an array", code: "type") }
        let array = Self.part(value.value, of: body)
        items = try JSONBody.outline(of: array).elements.map { Self.part($0, of: array) }
    }

    private static func part(_ range: Range<Int>, of data: Data) -> Data {
        Data(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
    }
}
