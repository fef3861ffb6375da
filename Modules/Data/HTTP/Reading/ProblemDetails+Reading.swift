import Foundation
import TrendyDomain

extension ProblemDetails {
    /// The longest text of a server that is passed on, in characters.
    private static let longestText = 1_000
    /// How much is shown of JSON in which no text for people was found, in characters.
    private static let longestJSON = 300

    /// Reads the body of a refusal in any form that servers use: a problem document, `{"error": "text"}`,
    /// `{"message": "text"}`, lists of such, or plain text. What cannot be read is left out.
    init(refusal response: TransportResponse, mapping: BodyMapping? = nil) {
        self.init(status: response.status)
        let contentType = ContentType(response.header("Content-Type"))
        if !response.body.isEmpty,
            let body = try? WireCoding.decode(JSONValue.self, from: response.body)
        {
            // A refusal in another form than the mapping expects may come from something before the backend.
            let mapped = (try? mapping?.response?(body)) ?? body
            if let members = mapped.objectValue { read(members) } else { detail = Self.text(of: mapped) }
        } else if Self.isText(response.body, contentType) {
            detail = Self.bounded(String(decoding: response.body.prefix(4 * Self.longestText), as: UTF8.self))
        }
    }

    /// Whether the protocol's own refusal of a sign-in was read, which no gateway before a server writes.
    var isOfTheSignIn: Bool { type == "urn:trendy:error:unauthorized" }

    /// Whether the body of the refusal has given a reason.
    var saysWhy: Bool { detail != nil || title != nil }

    /// Takes the beginning of the JSON for the reason where nothing in it was known.
    mutating func keepUnknown(of response: TransportResponse) {
        guard !saysWhy, type == nil, userMessage == nil,
            let body = try? WireCoding.decode(JSONValue.self, from: response.body),
            body != [:], body != [], body != .null
        else { return }
        let text = String(decoding: response.body.prefix(4 * Self.longestJSON), as: UTF8.self)
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        detail = String(line.prefix(Self.longestJSON))
    }

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
        requestId = text("request_id")
        userMessage = text("user_message")
        action = text("action")
        retryAfter = RetryAfter.bounded(body["retry_after"]?.doubleValue).map { Int($0.rounded(.up)) }
        let list = body["errors"] ?? nested?["errors"]
        let fields = Self.fieldErrors(list)
        errors = fields.isEmpty ? nil : fields
        // Who looks for what a server says looks into the detail.
        let complaints = Self.bounded(fields.complaints.joined(separator: "; "))
        detail = Self.text(of: .object(body)) ?? complaints ?? Self.text(of: list)
    }

    /// The complaints about fields: `[{"field": …, "message": …}]`, or `{"field": ["text"]}`.
    private static func fieldErrors(_ list: JSONValue?) -> [FieldError] {
        switch list {
        case .array(let elements)?:
            elements.compactMap { element in
                guard let members = element.objectValue, members["field"]?.stringValue != nil else { return nil }
                return try? WireCoding.value(FieldError.self, from: members)
            }
        case .object(let members)?:
            members.sorted { $0.key < $1.key }.compactMap { field, value in
                text(of: value).map { FieldError(field: field, message: $0) }
            }
        default: []
        }
    }

    /// The text for people in a value: the value itself, those of its elements, or those of its members that say why.
    private static func text(of value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: return bounded(text)
        case .array(let elements)?: return joined(elements, by: "; ")
        case .object(let members)?:
            if let detail = text(of: members["detail"]) { return detail }
            let reasons = ["message", "msg", "reason", "details"].compactMap { members[$0] }
            guard let error = text(of: members["error"]), !isStatusPhrase(error) else {
                return joined(reasons, by: ": ") ?? text(of: members["error"])
            }
            return joined([.string(error)] + reasons, by: ": ")
        default: return nil
        }
    }

    /// The texts of several values, each once: a batch can say the same of each record.
    private static func joined(_ values: [JSONValue], by separator: String) -> String? {
        var known: Set<String> = []
        let texts = values.compactMap { text(of: $0) }.filter { known.insert($0).inserted }
        return bounded(texts.joined(separator: separator))
    }

    /// Whether a text says no more than the status: `Internal Server Error`, `bad_request`.
    private static func isStatusPhrase(_ text: String) -> Bool {
        statusPhrases.contains(text.lowercased().filter(\.isLetter))
    }

    private static let statusPhrases: Set = [
        "badrequest", "forbidden", "notfound", "methodnotallowed", "conflict", "gone", "unprocessableentity",
        "unprocessablecontent", "toomanyrequests", "internalservererror", "servererror", "internalerror",
        "badgateway", "serviceunavailable", "gatewaytimeout", "unauthorized", "error",
    ]

    private static func bounded(_ text: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        return String(text.prefix(longestText))
    }
}
