import Foundation
import TrendyDomain

/// A request and its answer, as a report shows them: without passwords and tokens, and not too long.
public struct ConformanceExchange: Codable, Sendable, Hashable {
    /// The method and the path.
    public var request: String
    /// What the request was to be known by when it comes again; nil where it had no `Idempotency-Key`.
    public var idempotencyKey: String?
    /// What was sent, cut off after 1500 characters; nil where it was nothing.
    ///
    /// Values of passwords and tokens are shown as `…`, here as in the answer.
    public var requestBody: String?
    /// The HTTP status of the answer.
    public var status: Int
    /// The `Content-Type` of the answer; nil where it named none.
    public var contentType: String?
    /// What came back, cut off after 1500 characters; nil where it was nothing.
    public var answerBody: String?

    private enum CodingKeys: String, CodingKey {
        case request, status
        case idempotencyKey = "idempotency_key"
        case requestBody = "request_body"
        case contentType = "content_type"
        case answerBody = "answer_body"
    }

    init(_ answer: Answer) {
        request = answer.name
        idempotencyKey = answer.request.headers["Idempotency-Key"]
        requestBody = answer.request.body.flatMap(Self.shown)
        status = answer.status
        contentType = answer.header("Content-Type")
        answerBody = Self.shown(answer.raw.body)
    }

    /// The characters of a body that are shown.
    static let longestBody = 1500

    private static func shown(_ body: Data) -> String? {
        if body.isEmpty { return nil }
        var text = String(decoding: body.prefix(longestBody * 4), as: UTF8.self)
        if body.count < 64 << 10, let json = try? WireCoding.decode(JSONValue.self, from: body) {
            text = withoutSecrets(json).text
        } else {
            // What is no JSON may still be half of an answer with a token.
            text = text.replacing(/"(password|token|\w*_token)"\s*:\s*"(?:[^"\\]|\\.)*/) { "\"\($0.1)\":\"…" }
        }
        return text.count > longestBody ? "\(text.prefix(longestBody))… (\(body.count) bytes)" : text
    }

    private static func withoutSecrets(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, isSecret(name) ? "…" : withoutSecrets(value))
                    }))
        case .array(let elements): .array(elements.map(withoutSecrets))
        default: json
        }
    }

    private static func isSecret(_ name: String) -> Bool {
        name.hasSuffix("_token") || name == "password" || name == "token"
    }
}
