import TrendyDomain

/// Finds out why a request was refused as a whole: it carried too much, or one operation on which the server fails, or
/// the server is not well.
///
/// A refusal blames nobody. The smallest request follows it. If that is refused too, the cycle ends, and nothing was
/// learnt. If it is answered, the next request carries half of what was refused. An operation that was refused alone is
/// the culprit then, and the others go in growing requests.
struct CulpritSearch {
    /// The mutations that are not to be sent in this cycle any more.
    private(set) var passed: Set<Int64> = []
    /// The culprit that was found last, and the refusal of it.
    private(set) var culprit: (mutation: PendingMutation, refusal: Refusal)?
    /// What was refused last, until the smallest request is answered.
    private var doubtful: (shipment: Shipment, refusal: Refusal)?
    /// Whether operations were refused, and not all that was to be sent with them has been since.
    private var isUnsettled = false
    /// The latest refusal.
    private var last: Refusal?
    private var budget = RefusalBudget()
    /// Whether the next request asks for one change, because it is not known whether the server answers at all.
    var beginsSmall = false
    /// Whether the server has answered a small request, so that no refusal is about the moment.
    var isServerWell = false

    /// Whether a request has to follow: the smallest one, or the rest of the mutations.
    var isUnderWay: Bool { isProbing || isUnsettled && !isGivenUp }
    /// Whether nothing was refused in this cycle, or left out.
    var isIdle: Bool { budget.isUntouched && passed.isEmpty && !beginsSmall }
    /// Whether the smallest request has to follow.
    var isProbing: Bool { doubtful != nil }
    /// Whether nothing is sent any more in this cycle.
    var isGivenUp: Bool { budget.isSpent }
    /// The latest refusal, where nothing more is sent in this cycle for that.
    var unfinished: Refusal? { isGivenUp ? last : nil }

    /// How many changes a request asks for that carries operations.
    ///
    /// After a refusal it is one: otherwise nobody would know which way the request was too large.
    func limit(_ usual: Int) -> Int { budget.isUntouched ? usual : 1 }

    /// Leaves a mutation out for the rest of the cycle.
    mutating func pass(_ id: Int64) { passed.insert(id) }

    /// Allows this cycle to send the mutations again that it had left out, because another server or other routes answer now.
    mutating func forgetPassed() { passed = [] }

    /// Notes that a request was refused as a whole.
    mutating func refused(_ shipment: Shipment, _ refusal: Refusal) {
        budget.note(refusal.error)
        last = refusal
        doubtful = (shipment, refusal)
        if !shipment.items.isEmpty { isUnsettled = true }
    }

    /// Notes that a request was answered, and what that tells of how much passes. Returns whether that finds a culprit.
    mutating func answered(_ shipment: Shipment, hasMore: Bool, _ place: inout ExchangePlace) -> Bool {
        if !shipment.items.isEmpty, !shipment.isCutOff { isUnsettled = false }
        if beginsSmall { (beginsSmall, isServerWell) = (false, true) }
        guard let (refused, refusal) = doubtful else { return false }
        doubtful = nil
        if refused.items.isEmpty {
            if hasMore { place.receiving.refused(refused.limit) }
            return false
        }
        guard refused.items.count == 1, let item = refused.items.first else {
            place.sending.refused(refused.bytes)
            return false
        }
        // It may have been the answer that was too large.
        if refused.limit > 1, hasMore { return false }
        culprit = (item.mutation, refusal)
        passed.insert(item.mutation.id)
        place.sending.forgetRefusals()
        return true
    }
}
