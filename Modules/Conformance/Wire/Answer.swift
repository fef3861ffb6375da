import Foundation
import TrendyDomain

/// What came back for a request of a rule, and the request that it answers.
struct Answer: Sendable {
    let request: WireRequest
    let raw: WireAnswer
    let json: JSONValue

    init(_ request: WireRequest, _ raw: WireAnswer) {
        self.request = request
        self.raw = raw
        json = (try? WireCoding.decode(JSONValue.self, from: raw.body)) ?? .null
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

    /// Seconds to wait, where the answer says so in its header or its body.
    var retryAfter: Double? { header("Retry-After").flatMap { Double($0) } ?? json["retry_after"].doubleValue }
}

extension JSONValue {
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
    var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

    subscript(_ member: String) -> JSONValue { objectValue?[member] ?? .null }
}
