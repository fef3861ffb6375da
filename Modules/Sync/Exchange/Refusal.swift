import TrendyDomain

/// A refusal of a request that was answered, or could have been answered if it were smaller.
struct Refusal: Error {
    let error: APIError
    let status: Int
    let problem: ProblemDetails

    init(_ error: APIError, status: Int, problem: ProblemDetails = ProblemDetails()) {
        (self.error, self.status, self.problem) = (error, status, problem)
    }

    /// Whether the server failed and did not refuse: 5xx, and what RFC 9110 (15.5.9) and RFC 8470 let a client
    /// repeat.
    var isServerFailure: Bool { status >= 500 || status == 408 || status == 425 }

    /// Whether no answer came in time.
    var isSilent: Bool { error == .timeout }

    /// What to tell a person.
    var message: String { error.description }

    /// The refusal as the end of a cycle, for requests without mutations.
    var asStop: CycleStop {
        isServerFailure && !error.isUnreadableAnswer ? .unreachable(message) : .protocolBroken(message)
    }
}
