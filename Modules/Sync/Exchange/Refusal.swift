import TrendyDomain

/// Ends a cycle at a request.
struct FailedRequest: Error {
    /// Why: ``CycleStop``, or ``StoreError``.
    let reason: any Error
    /// The keys of mutations that had certainly no effect.
    let untouched: Set<String>
}

/// A refusal of a request that was answered, or could have been answered if it were smaller.
struct Refusal: Error {
    let error: APIError
    private(set) var status: Int
    private(set) var problem: ProblemDetails
    /// The keys of mutations that had certainly no effect.
    var untouched: Set<String> = []

    /// - Parameter status: The status that stands for an error that came without one.
    init(_ error: APIError, status: Int) {
        (self.error, self.status, problem) = (error, status, ProblemDetails())
        if case .http(let status, let problem) = error { (self.status, self.problem) = (status, problem) }
    }

    /// Whether the server failed and did not refuse: 5xx, and what RFC 9110 (15.5.9) and RFC 8470 let a client
    /// repeat.
    var isServerFailure: Bool { status >= 500 || status == 408 || status == 425 }

    /// Whether the connection broke, or none was made.
    var isBrokenConnection: Bool { if case .connection = error { true } else { false } }

    /// Whether it came from the way to the server, and not from the server.
    var isOfNetwork: Bool {
        switch error {
        case .connection, .notAServer: true
        default: false
        }
    }

    /// What to tell a person.
    var message: String { error.description }

    /// The refusal as the end of a cycle, if no other request can do better.
    var asStop: CycleStop {
        switch error {
        case .connection, .timeout: .unreachable(message)
        case .notAServer: .notAServer(error)
        default: isServerFailure && !error.isUnreadableAnswer ? .unreachable(message) : .protocolBroken(message)
        }
    }
}
