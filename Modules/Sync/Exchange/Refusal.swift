import TrendyDomain

/// A server's refusal of what it was asked. It does not concern the connection.
struct Refusal: Error {
    let error: APIError
    let status: Int
    let problem: ProblemDetails

    init(_ error: APIError, status: Int, problem: ProblemDetails = ProblemDetails()) {
        (self.error, self.status, self.problem) = (error, status, problem)
    }

    /// Whether the server failed, rather than refused: 5xx, and what RFC 9110 (15.5.9) and RFC 8470 let a client repeat.
    var isServerFailure: Bool { status >= 500 || status == 408 || status == 425 }

    /// Whether no answer came in time.
    var isSilent: Bool { error == .timeout }

    /// What to tell a person.
    var message: String { error.description }

    /// The refusal as the end of a cycle, for requests that concern no mutation.
    var asStop: CycleStop {
        isServerFailure && !error.isUnreadableAnswer ? .unreachable(message) : .protocolBroken(message)
    }
}
