/// An error answer as RFC 9457 writes it (`application/problem+json`), with Trendy's extensions.
public struct ProblemDetails: Codable, Sendable, Hashable {
    /// A URI that names the kind of problem; `urn:trendy:error:…` from our server.
    public var type: String?
    /// The kind of problem in a few words.
    public var title: String?
    /// The HTTP status.
    public var status: Int?
    /// What went wrong with this request.
    public var detail: String?
    /// The server's name for this request, for its log.
    public var requestId: String?
    /// A sentence that can be shown to a person.
    public var userMessage: String?
    /// Seconds to wait before the next request.
    public var retryAfter: Int?
    /// What the person can do.
    public var action: String?
    /// Each field that is wrong.
    public var errors: [FieldError]?

    /// Makes a problem of its parts.
    public init(
        type: String? = nil, title: String? = nil, status: Int? = nil, detail: String? = nil,
        requestId: String? = nil, userMessage: String? = nil, retryAfter: Int? = nil, action: String? = nil,
        errors: [FieldError]? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
        self.requestId = requestId
        self.userMessage = userMessage
        self.retryAfter = retryAfter
        self.action = action
        self.errors = errors
    }

    enum CodingKeys: String, CodingKey {
        case type, title, status, detail, action, errors
        case requestId = "request_id"
        case userMessage = "user_message"
        case retryAfter = "retry_after"
    }
}
