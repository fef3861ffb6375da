import TrendyDomain

/// How much is asked for, or sent, at once: half as much where an answer was too large or did not come in time.
///
/// Over a slow link a page of the usual size would never come. The cursor remembers what has come through, and each
/// success doubles what is tried next.
struct RESTSize {
    private let name: String
    private let usual: Int
    private let smallest: Int
    private(set) var limit: Int
    private var hasShrunk = false
    private var hasTimedOut = false

    init(_ name: String, usual: Int, smallest: Int, _ cursor: RESTCursor) {
        self.name = name
        self.usual = usual
        self.smallest = min(smallest, usual)
        limit = max(self.smallest, min(usual, cursor.sizes[name] ?? usual))
    }

    mutating func arrived(_ cursor: inout RESTCursor) {
        if hasShrunk || cursor.sizes[name] == nil { return }
        remember(limit > usual / 2 ? usual : limit * 2, &cursor)
    }

    /// Halves the size after a refusal. Answers whether it makes sense to ask again in this exchange: after a silence
    /// once, so that a server that is silent ends it soon.
    mutating func shrink(after error: APIError, _ cursor: inout RESTCursor) -> Bool {
        let isSilence = error == .timeout
        guard error.isTooLarge || isSilence, limit > smallest, usual < .max else { return false }
        limit = max(smallest, limit / 2)
        hasShrunk = true
        remember(limit, &cursor)
        defer { hasTimedOut = hasTimedOut || isSilence }
        return !isSilence || !hasTimedOut
    }

    private func remember(_ size: Int, _ cursor: inout RESTCursor) {
        cursor.sizes[name] = size < usual ? size : nil
    }
}

extension APIError {
    /// Whether less might have come through.
    var isTooLarge: Bool {
        if case .answerTooLarge = self { true } else { status == 413 }
    }
}
