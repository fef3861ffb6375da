/// Why a request to a server gave no usable answer.
public enum APIError: Error, Sendable, Hashable {
    /// The request has not reached the server: no connection could be made, or a proxy or the network stopped it.
    case notSent(String)
    /// The connection broke. The request may have arrived.
    case connection(String)
    /// No answer came in time. The request may have arrived.
    case timeout
    /// The server cannot prove who it is. The request was not sent.
    case untrusted(CertificateFault)
    /// Something answered that does not speak this protocol: a captive portal, a proxy, another site.
    ///
    /// `isElsewhere` is true if the answer asks to send the same request to another address (RFC 9110, 15.4). Then the
    /// request was not carried out. `page` is the status of a refusal that came as a web page. Some servers refuse routes
    /// that they do not have with one.
    case notAServer(String, isElsewhere: Bool = false, page: Int? = nil)
    /// The server answered with something that the protocol does not have.
    case malformedResponse(String)
    /// The answer is larger than this many bytes, and was not read to its end. With fewer items it may fit.
    case answerTooLarge(limit: Int)
    /// Nobody is signed in, or the token is not accepted (401).
    ///
    /// `mayPass` is true where nothing says that the sign-in has ended: the outage of a sign-in service looks the same.
    case unauthorized(String, mayPass: Bool = false)
    /// Too many requests (429). If the server says how many seconds to wait, they come along.
    case rateLimited(retryAfter: Double?)
    /// Any other refusal.
    case http(status: Int, problem: ProblemDetails)
    /// The server refused a request that may have arrived before: the connection that it was sent over first broke, and
    /// it was sent again. The refusal says nothing of the first sending.
    indirect case inDoubt(APIError)
    /// The task was cancelled.
    case cancelled

    /// The error of a client without ``NetworkClientProtocol/exchange(_:)``, which asks nothing.
    public static let noExchange = APIError.http(
        status: 404, problem: ProblemDetails(status: 404, detail: "this server has no route for the exchange"))

    /// The error of a client without ``NetworkClientProtocol/watchHeads(_:)``, which asks nothing.
    public static let noLive = APIError.http(
        status: 404,
        problem: ProblemDetails(status: 404, detail: "this server tells nobody when there is something to sync"))

    /// How the reason of ``unauthorized(_:mayPass:)`` ends where nothing but another sign-in can follow this one.
    public static let withoutRenewal = "; the sign-in cannot be renewed"

    /// Whether the server answered with something that cannot be read.
    public var isUnreadableAnswer: Bool {
        switch self {
        case .malformedResponse, .answerTooLarge: true
        case .inDoubt(let refusal): refusal.isUnreadableAnswer
        default: false
        }
    }

    /// The error without the doubt whether the request arrived before.
    public var withoutDoubt: APIError { if case .inDoubt(let refusal) = self { refusal } else { self } }

    /// The error of a request that may have arrived before it ended with this one.
    public var asRepetition: APIError {
        switch self {
        case .notSent(let reason): .connection(reason)
        case .untrusted(let fault): .connection("the server's certificate \(fault)")
        case .notAServer(let reason, isElsewhere: true, _): .notAServer(reason)
        case _ where provesNoEffect: .inDoubt(self)
        default: self
        }
    }

    /// Whether the request certainly had no effect: it has not left, or the server refused it before it carried anything
    /// out.
    ///
    /// The contract says that of every refusal with a status of 4xx. A failure (5xx) can follow a commit, and what is no
    /// server of this protocol can hide the server's answer.
    public var provesNoEffect: Bool {
        switch self {
        case .notSent, .untrusted, .unauthorized, .rateLimited: true
        case .notAServer(_, let isElsewhere, _): isElsewhere
        case .http(let status, _): (400..<500).contains(status) && status != 408 || status == 501
        case .connection, .timeout, .malformedResponse, .answerTooLarge, .cancelled, .inDoubt: false
        }
    }

    /// The HTTP status, where there was one.
    public var status: Int? {
        switch self {
        case .unauthorized: 401
        case .rateLimited: 429
        case .http(let status, _): status
        case .inDoubt(let refusal): refusal.status
        default: nil
        }
    }
}

extension APIError: CustomStringConvertible {
    /// What went wrong, for people to read.
    public var description: String {
        switch self {
        case .notSent(let reason), .connection(let reason): "cannot reach the server: \(reason)"
        case .timeout: "the server did not answer in time"
        case .untrusted(let fault): "the server's certificate \(fault)"
        case .notAServer(let reason, _, _): "what answers there is not the expected server: \(reason)"
        case .malformedResponse(let reason): "the server's answer makes no sense: \(reason)"
        case .answerTooLarge(let limit): "the server's answer is larger than \(limit) bytes"
        case .unauthorized(let reason, mayPass: false): "not signed in: \(reason)"
        case .unauthorized(let reason, mayPass: true): "the server does not accept the sign-in: \(reason)"
        case .rateLimited(let seconds?): "the server asks to wait \(Int(seconds.rounded(.up))) s"
        case .rateLimited(nil): "the server asks to wait"
        case .http(let status, let problem): Self.describe(status, problem)
        case .inDoubt(let refusal): refusal.description
        case .cancelled: "cancelled"
        }
    }

    private static func describe(_ status: Int, _ problem: ProblemDetails) -> String {
        let text = problem.detail ?? problem.title ?? "no reason given"
        // Some servers give the reason for each field in their sentence.
        let fields = (problem.errors ?? []).filter { !text.contains("\($0.field) \($0.message)") }
        return "the server answered \(status): " + ([text] + fields.complaints).joined(separator: "; ")
    }
}
