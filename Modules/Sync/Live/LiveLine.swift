import TrendyDomain

/// When to open the stream of heads again after it has ended: a pure value.
///
/// The pauses are spread at random, so that many devices that lost one server do not come back at the same moment. The
/// poll goes on beneath: a long pause costs latency alone.
struct LiveLine {
    /// How a stream has ended.
    enum End: Hashable {
        /// By the server in order, by a broken connection, or by a silence longer than two heartbeats.
        case lost
        /// Without an answer, or without the head that each stream begins with: something on the way may hold it back.
        case heldBack
        /// By a server, or something before it, that does not have the route.
        case unsupported
        /// By a refusal, with the seconds that the server asks to wait.
        case refused(retryAfter: Double)
    }

    /// Seconds between two looks at a server that had no such route.
    static let unsupportedPause = 600.0
    private static let longestPause = 60.0

    /// Streams in a row that have not lasted.
    private var failures = 0

    /// Notes that a stream lasts.
    mutating func lasts() { failures = 0 }

    /// Seconds to wait before the stream is opened again.
    mutating func pause(after end: End, random: any RandomSource) -> Double {
        failures += 1
        // Half of it is spread.
        let spread = 1 - Double(random.next() >> 11) / Double(1 << 53) / 2
        switch end {
        case .lost: return min(exponential(from: 1), Self.longestPause) * spread
        case .heldBack: return min(exponential(from: 30), Self.unsupportedPause) * spread
        case .unsupported: return Self.unsupportedPause * spread
        case .refused(let asked):
            // Those who were asked to wait do not come earlier.
            return max(asked, 0) + min(exponential(from: 2), Self.longestPause) * spread
        }
    }

    private func exponential(from first: Double) -> Double { first * Double(1 << min(failures - 1, 16)) }
}

extension LiveLine.End {
    /// What an error of the stream means.
    init(_ error: any Error) {
        switch (error as? APIError)?.withoutDoubt {
        case .rateLimited(let asked): self = .refused(retryAfter: asked ?? 0)
        case .unauthorized: self = .refused(retryAfter: LiveLine.signedOutPause)
        case .http(503, let problem): self = .refused(retryAfter: Double(problem.retryAfter ?? 0))
        case .http(let status, let problem) where status >= 500 && status != 501:
            self = .refused(retryAfter: Double(problem.retryAfter ?? 0))
        case .http, .notAServer, .malformedResponse, .answerTooLarge: self = .unsupported
        case .timeout: self = .heldBack
        case .notSent, .connection, .untrusted, .cancelled, .inDoubt, nil: self = .lost
        }
    }
}

extension LiveLine {
    /// Seconds between two looks whether somebody has signed in again.
    fileprivate static let signedOutPause = 60.0
}
