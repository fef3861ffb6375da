public import TrendyDomain

/// Why the server refuses a request; the HTTP layer writes it as `application/problem+json`.
public struct ServerProblem: Error, Sendable, Hashable {
    /// What kind of refusal it is.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Fields of the body or the query break a rule (400).
        case validation
        /// The request cannot be read at all (400).
        case badRequest
        /// An id is no UUID of version 7 (400).
        case invalidUUID
        /// An id was made further ahead of the server's clock than is tolerated (400).
        case futureTimestamp
        /// No valid token, or wrong credentials (401).
        case unauthorized
        /// The user may not do that (403).
        case forbidden
        /// The account would keep more than it may (403).
        case quotaExceeded
        /// There is no such record or route for this user (404).
        case notFound
        /// The route exists, but not for this method (405).
        case methodNotAllowed
        /// The client takes no form in which the route answers (406).
        case notAcceptable
        /// Another record has what must be unique (409).
        case conflict
        /// The account has another history than the device knows (409).
        case epochChanged
        /// Deletions since the cursor are not kept any more (410).
        case cursorExpired
        /// The body is larger than allowed (413).
        case tooLarge
        /// The body is not JSON by its content type (415).
        case unsupportedMediaType
        /// The idempotency key was used for another request (422).
        case keyReused
        /// Too many requests (429).
        case rateLimit
        /// The head of the request is larger than allowed (431).
        case headTooLarge
        /// The server failed (500).
        case `internal`
        /// The server cannot do it now, but soon (503).
        case unavailable
    }

    /// What kind of refusal it is, which decides on the status code.
    public var kind: Kind
    /// What went wrong with this request, as a sentence.
    public var detail: String
    /// Each wrong field.
    public var errors: [FieldError]
    /// Seconds to wait before the next request.
    public var retryAfter: Int?

    /// What has failed beneath, for the log alone.
    public var cause: String?

    /// Makes a refusal.
    public init(
        _ kind: Kind, _ detail: String, errors: [FieldError] = [], retryAfter: Int? = nil, cause: String? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.errors = errors
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// A refusal because of one field.
    public static func field(
        _ field: String, _ message: String, code: String = "invalid", kind: Kind = .validation
    ) -> ServerProblem {
        ServerProblem(
            kind, "\(field) \(message)", errors: [FieldError(field: field, message: message, code: code)])
    }

    /// There is no such record, or it is another user's: the two are never told apart.
    public static func missing(_ entityType: EntityType, _ id: String) -> ServerProblem {
        ServerProblem(.notFound, "there is no \(entityType.displayName) \(id)")
    }
}

extension ServerProblem: CustomStringConvertible {
    /// What is wrong, for people to read.
    public var description: String {
        let fields = errors.map { "\($0.field) \($0.message)" }.filter { !detail.contains($0) }
        return ([detail] + fields).joined(separator: "; ")
    }
}

extension ServerProblem.Kind {
    /// The HTTP status.
    public var status: Int {
        switch self {
        case .validation, .badRequest, .invalidUUID, .futureTimestamp: 400
        case .unauthorized: 401
        case .forbidden, .quotaExceeded: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .conflict, .epochChanged: 409
        case .cursorExpired: 410
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .keyReused: 422
        case .rateLimit: 429
        case .headTooLarge: 431
        case .internal: 500
        case .unavailable: 503
        }
    }

    /// The last part of the `urn:trendy:error:` URI; the contract has a closed list of them.
    public var urnName: String {
        switch self {
        case .validation, .keyReused: "validation"
        case .badRequest, .methodNotAllowed, .notAcceptable, .tooLarge, .unsupportedMediaType, .headTooLarge:
            "bad_request"
        case .invalidUUID: "invalid_uuid"
        case .futureTimestamp: "future_timestamp"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .quotaExceeded: "quota_exceeded"
        case .notFound: "not_found"
        case .conflict: "conflict"
        case .epochChanged: "epoch_changed"
        case .cursorExpired: "cursor_expired"
        case .rateLimit: "rate_limit"
        case .internal, .unavailable: "internal"
        }
    }
}
