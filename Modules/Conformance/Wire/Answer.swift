import Foundation
import TrendyDomain

/// What came back for a request of a rule, and the request that it answers.
struct Answer: Sendable {
    let request: WireRequest
    let raw: WireAnswer
    /// The body; null where it is no JSON, which ``isJSON`` tells from a null that was sent.
    let json: JSONValue
    /// Whether the body is JSON; an empty one is not.
    let isJSON: Bool

    init(_ request: WireRequest, _ raw: WireAnswer) {
        self.request = request
        self.raw = raw
        let decoded = try? WireCoding.decode(JSONValue.self, from: raw.body)
        json = decoded ?? .null
        isJSON = decoded != nil
    }

    var status: Int { raw.status }
    var isSuccess: Bool { (200..<300).contains(status) }
    var elements: [JSONValue] { json.elements }

    subscript(_ member: String) -> JSONValue { json[member] }

    func header(_ name: String) -> String? { raw.headers[name.lowercased()] }

    /// The ids of the records in an array.
    var ids: [String] { elements.compactMap { $0["id"].stringValue } }

    /// Whether it is the stored answer to an earlier request.
    var isReplay: Bool { header("X-Idempotency-Replayed") == "true" }

    /// What the server says of a refusal, in the problem of the protocol or in the ways of other servers.
    var reason: String? {
        let error = json["error"]
        let found = [
            json["detail"], error, error["message"], json["message"], json["title"], json["error_description"],
        ]
        guard let text = found.lazy.compactMap(\.stringValue).first(where: { !$0.isEmpty }) else { return nil }
        let fields = json["errors"].elements.compactMap { problem in
            problem["field"].stringValue.map { "\($0) \(problem["message"].stringValue ?? "")" }
        }
        return String(([text] + fields).joined(separator: "; ").prefix(300))
    }

    /// Seconds to wait, where the answer says so in its header or its body.
    var retryAfter: Double? { header("Retry-After").flatMap { Double($0) } ?? json["retry_after"].doubleValue }
}

extension JSONValue {
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
    var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

    subscript(_ member: String) -> JSONValue { objectValue?[member] ?? .null }
}
