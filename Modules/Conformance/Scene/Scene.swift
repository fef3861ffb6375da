import Synchronization
import TrendyDomain

/// What the rules of one run share: its marker, ids, moments and pauses.
final class Scene: Sendable {
    /// Begins the name of everything that the run makes.
    let marker: String
    /// The oldest time that an event of the run has.
    let start: Timestamp
    let notes = RuleNotes()
    let trace = RuleTrace()
    /// The addresses of accounts that the run asked for; one whose answer is missing may be there.
    let signUps = Mutex<[String]>([])
    let signUpAnswer = Mutex<Answer?>(nil)
    private let target: ConformanceTarget
    private let moments = Mutex<Int64>(0)
    private let tell: @Sendable (ConformanceNews) -> Void

    init(_ target: ConformanceTarget, tell: @escaping @Sendable (ConformanceNews) -> Void) {
        self.target = target
        self.tell = tell
        marker = "conformance-\(target.identifiers.makeId().suffix(8))"
        start = target.wallClock.now().advanced(bySeconds: -7200)
    }

    var login: ConformanceTarget.Login? { target.login }
    var otherLogin: ConformanceTarget.Login? { target.otherLogin }
    var maySignUp: Bool { target.maySignUp }

    var accountsMade: [String] { signUps.withLock { $0 } }

    /// What the server answered to the first sign-up that it accepted.
    var firstSignUp: Answer? { signUpAnswer.withLock { $0 } }

    func now() -> Timestamp { target.wallClock.now() }
    func makeId() -> String { target.identifiers.makeId() }
    func wait(seconds: Double) async throws { try await target.wait(.seconds(seconds)) }

    /// A text that only this run uses.
    func name(_ what: String) -> String { "\(marker) \(what)" }

    /// A time that no other event of the run has: two hours ago and later.
    func moment() -> String {
        let step = moments.withLock { count in
            count += 1
            return count
        }
        return start.advanced(byMilliseconds: step).description
    }

    // MARK: Requests

    /// Sends a request once, and waits where the server asks for it.
    ///
    /// - Parameter waits: False for a rule that looks at refusals.
    func send(_ request: WireRequest, waits: Bool = true) async throws -> Answer {
        var pauses = 0
        while true {
            let answer = try await sendOnce(request)
            guard answer.status == 429, waits, pauses < 4 else { return answer }
            pauses += 1
            let seconds = min(max(answer.retryAfter ?? 60, 1), 600)
            tell(.pausing(seconds: seconds))
            try await wait(seconds: seconds)
        }
    }

    private func sendOnce(_ request: WireRequest) async throws -> Answer {
        try Task.checkCancellation()
        do {
            let answer = Answer(request, try await target.send(request))
            trace.add(answer)
            return answer
        } catch {
            try Task.checkCancellation()
            throw NoAnswer(reason: "\(error)", request: request)
        }
    }

    /// Sends a request as nobody.
    func send(_ method: WireRequest.Method, _ path: String, _ body: JSONValue? = nil) async throws -> Answer {
        try await send(Self.request(method, path, body))
    }

    static let basePath = "/api/v1"

    static func request(_ method: WireRequest.Method, _ path: String, _ body: JSONValue? = nil) throws -> WireRequest {
        var request = WireRequest(method, path == "/health" ? path : basePath + path)
        request.headers["Accept"] = "application/json"
        if let body {
            request.headers["Content-Type"] = "application/json"
            request.body = try WireCoding.encode(body)
        }
        return request
    }
}

/// Says that a request was not answered at all.
struct NoAnswer: Error {
    var reason: String
    var request: WireRequest
}
