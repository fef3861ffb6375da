import HTTPTypes
import Hummingbird
import TrendyDomain

/// The handlers that say whether the server runs, and whether it can do its work.
struct HealthHandlers: Sendable {
    /// Seconds after which it is worth asking again.
    private static let retryAfter = 5

    let version: String
    let readiness: Readiness

    private struct Health: Encodable {
        var status = "ok"
        var server = "trendy"
        var version: String
    }

    private struct Status: Encodable {
        var status: String
    }

    var routes: [Route] {
        [
            Route(.get, "/health", .open) { [version] _, _ in try Response(encoding: Health(version: version)) },
            Route(.get, "/health/live", .open) { _, _ in try Response(encoding: Status(status: "alive")) },
            Route(.get, "/health/ready", .open) { [readiness] _, _ in
                if let fault = await readiness.fault() {
                    throw ServerProblem(.unavailable, fault.reason, retryAfter: Self.retryAfter)
                }
                return try Response(encoding: Status(status: "ready"))
            },
        ]
    }
}
