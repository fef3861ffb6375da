import TrendyDomain

/// How much may be refused in a cycle before it sends nothing more.
struct RefusalBudget {
    private var spent = 0
    /// The refusal that came last.
    private(set) var last: APIError?

    /// After so many refusals a cycle sends nothing more. Each culprit among 2,000 costs twelve.
    private static let limit = 60
    /// How many refusals a missing answer counts as, because the client waits for its timeout each time.
    private static let silence = 4

    /// Whether nothing was refused.
    var isUntouched: Bool { spent == 0 }
    /// Whether nothing is sent any more in this cycle.
    var isSpent: Bool { spent >= Self.limit }

    mutating func note(_ refusal: APIError) {
        spent += refusal == .timeout ? Self.silence : 1
        last = refusal
    }
}
