import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

extension TransportResponse {
    static func json(_ status: Int, _ body: Data) -> TransportResponse {
        TransportResponse(status: status, headers: ["Content-Type": "application/json"], body: body)
    }

    static func problem(_ problem: ServerProblem) -> TransportResponse {
        let details = ProblemDetails(
            type: "urn:trendy:error:\(problem.kind.urnName)", status: problem.kind.status, detail: problem.detail,
            errors: problem.errors.isEmpty ? nil : problem.errors)
        var headers = ["Content-Type": "application/problem+json"]
        if let seconds = problem.retryAfter { headers["Retry-After"] = String(seconds) }
        return TransportResponse(
            status: problem.kind.status, headers: headers, body: (try? WireCoding.encode(details)) ?? Data())
    }

    static let captivePortal = TransportResponse(
        status: 200, headers: ["Content-Type": "text/html"],
        body: Data("<!DOCTYPE html><html><body>Welcome to the hotel</body></html>".utf8))

    static let redirect = TransportResponse(
        status: 302, headers: ["Location": "http://elsewhere.example/login", "Content-Type": "text/html"])
}

extension Timestamp {
    /// As the `Date` of an answer (RFC 9110, section 5.6.7). Nobody reads the day of the week.
    var inHTTP: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = description.split { "-T.Z".contains($0) }.map(String.init)
        return "Mon, \(parts[2]) \(months[(Int(parts[1]) ?? 1) - 1]) \(parts[0]) \(parts[3]) GMT"
    }
}

extension WriteReply.Outcome {
    var httpStatus: Int {
        switch self {
        case .created: 201
        case .replaced, .updated: 200
        case .deleted: 204
        case .partlyCreated: 207
        case .noneCreated: 400
        }
    }
}
