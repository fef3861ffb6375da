import Foundation
import HTTPTypes
import Hummingbird
import TrendyDomain

extension Response {
    /// A refusal as `application/problem+json` (RFC 9457).
    init(_ problem: ServerProblem, requestId: String) {
        self.init(
            HTTPResponse.Status(code: problem.kind.status), json: problem.json(requestId: requestId),
            contentType: "application/problem+json")
        if let seconds = problem.retryAfter { headers[.retryAfter] = String(seconds) }
        if problem.kind == .unauthorized { headers[.wwwAuthenticate] = "Bearer realm=\"trendy\"" }
    }
}

extension ServerProblem {
    /// The body of the refusal.
    func json(requestId: String) -> Data {
        let body = ProblemDetails(
            type: "urn:trendy:error:\(kind.urnName)", title: kind.title, status: kind.status, detail: detail,
            requestId: requestId, userMessage: kind.userMessage, retryAfter: retryAfter, action: kind.action,
            errors: errors.isEmpty ? nil : errors)
        return (try? WireCoding.encode(body)) ?? Data("{}".utf8)
    }
}

extension ServerProblem.Kind {
    /// The kind in a few words.
    var title: String {
        switch self {
        case .validation: "Validation failed"
        case .badRequest: "Bad request"
        case .invalidUUID: "Invalid UUID"
        case .futureTimestamp: "Id from the future"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .quotaExceeded: "Quota exceeded"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        case .notAcceptable: "Not acceptable"
        case .conflict: "Conflict"
        case .epochChanged: "Another history"
        case .cursorExpired: "Cursor expired"
        case .tooLarge: "Content too large"
        case .unsupportedMediaType: "Unsupported media type"
        case .keyReused: "Idempotency key reused"
        case .rateLimit: "Too many requests"
        case .headTooLarge: "Request header fields too large"
        case .internal: "Internal error"
        case .unavailable: "Service unavailable"
        }
    }

    /// A sentence for a person who does not know of requests and bodies.
    var userMessage: String {
        switch self {
        case .validation: "Some of what was entered is not valid."
        case .badRequest, .invalidUUID, .methodNotAllowed, .notAcceptable, .unsupportedMediaType, .keyReused,
            .headTooLarge:
            "The app sent something that the server does not understand."
        case .futureTimestamp: "The clock of this device is ahead of time."
        case .unauthorized: "You are not signed in."
        case .forbidden: "You may not do that."
        case .quotaExceeded:
            "Your account on the server is full. Delete what you do not need, or ask who runs the server for more room."
        case .notFound: "This does not exist any more."
        case .conflict: "Something like this exists already."
        case .epochChanged, .cursorExpired: "This device fetches everything anew; nothing is lost."
        case .tooLarge: "This is too large to be saved."
        case .rateLimit: "That was too much at once; please wait a moment."
        case .internal, .unavailable: "The server has a problem; nothing was lost. Please try again later."
        }
    }

    /// What can be done, as a word for programs; nil where there is nothing.
    var action: String? {
        switch self {
        case .unauthorized: "sign_in"
        case .rateLimit, .internal, .unavailable: "retry_later"
        case .validation, .conflict, .tooLarge: "edit"
        case .futureTimestamp: "check_clock"
        case .quotaExceeded: "free_space"
        case .epochChanged, .cursorExpired: "resync"
        default: nil
        }
    }
}
