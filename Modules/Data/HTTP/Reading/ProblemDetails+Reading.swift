import Foundation
import TrendyDomain

extension ProblemDetails {
    /// The longest text of a server that is passed on, in characters.
    private static let longestText = 1_000

    /// Reads the body of a refusal in any form that servers use: a problem document, `{"error": "text"}`,
    /// `{"message": "text"}`, or plain text. What cannot be read is left out.
    init(refusal response: TransportResponse, mapping: BodyMapping? = nil) {
        self.init(status: response.status)
        let contentType = ContentType(response.header("Content-Type"))
        if !response.body.isEmpty,
            let body = try? WireCoding.decode(JSONValue.self, from: response.body)
        {
            // A refusal in another form than the mapping expects may come from something before the backend.
            let mapped = (try? mapping?.response?(body)) ?? body
            if let text = mapped.stringValue { detail = Self.bounded(text) } else { read(mapped.objectValue ?? [:]) }
        } else if Self.isText(response.body, contentType) {
            detail = Self.bounded(String(decoding: response.body.prefix(4 * Self.longestText), as: UTF8.self))
        }
    }

    /// Whether the protocol's own refusal of a sign-in was read, which no gateway before a server writes.
    var isOfTheSignIn: Bool { type == "urn:trendy:error:unauthorized" }

    /// Whether the body of the refusal has given a reason.
    var saysWhy: Bool { detail != nil || title != nil }

    /// Whether a body that is no JSON is a text for people. Routers beneath a server write some without a content type,
    /// or under that of what they stand for.
    private static func isText(_ body: Data, _ type: ContentType) -> Bool {
        switch type {
        case .html: false
        case .other(let media): media == "text/plain"
        case .json, .problem, .missing:
            String(data: body, encoding: .utf8) != nil && !Data("{[<".utf8).contains(body.first ?? 0x7B)
        }
    }

    private mutating func read(_ body: [String: JSONValue]) {
        let nested = body["error"]?.objectValue
        func text(_ name: String) -> String? { Self.bounded(body[name]?.stringValue ?? nested?[name]?.stringValue) }
        type = text("type")
        title = text("title")
        detail = text("detail") ?? Self.bounded(body["error"]?.stringValue) ?? text("message")
        requestId = text("request_id")
        userMessage = text("user_message")
        action = text("action")
        retryAfter = RetryAfter.bounded(body["retry_after"]?.doubleValue).map { Int($0.rounded(.up)) }
        if case .array(let elements)? = body["errors"] {
            let fields = elements.compactMap { element in
                element.objectValue.flatMap { try? WireCoding.value(FieldError.self, from: $0) }
            }
            errors = fields.isEmpty ? nil : fields
        }
    }

    private static func bounded(_ text: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        return String(text.prefix(longestText))
    }
}
