import TrendyDomain

/// Finds the one operation on which a server fails, among those of a request that it has refused as a whole.
///
/// A refusal blames nobody: the next request carries half. Where a single operation is refused, a request without any
/// tells whether the server is well; if it is, that operation is the culprit. The others then go in growing requests.
struct CulpritSearch {
    /// The mutations that are not to be sent in this cycle any more.
    private(set) var passed: Set<Int64> = []
    /// The last mutation that was found to be one on which the server fails, and how.
    private(set) var culprit: (id: Int64, refusal: Refusal)?
    /// How many mutations the next request may carry; nil for as many as ever.
    private var share: Int?
    /// What was refused alone.
    private var suspect: (id: Int64, refusal: Refusal)?
    private var refusals = 0

    /// After so many refusals in one cycle nothing is sent any more. Each culprit among 2,000 costs twelve.
    private static let limit = 60

    /// Whether a request has to follow, without any mutation where there is a suspect.
    var isUnderWay: Bool { isProbing || share != nil && !isGivenUp }
    /// Whether a request without mutations has to follow.
    var isProbing: Bool { suspect != nil }
    /// Whether nothing is sent any more in this cycle.
    var isGivenUp: Bool { refusals >= Self.limit }

    /// How many mutations the next request may carry.
    func limit(_ usual: Int) -> Int { suspect == nil ? min(usual, share ?? usual) : 0 }

    /// Sends a mutation no more in this cycle.
    mutating func pass(_ id: Int64) { passed.insert(id) }

    /// A request was refused.
    mutating func refused(_ shipment: Shipment, _ refusal: Refusal) {
        refusals += 1
        if shipment.items.count == 1, let item = shipment.items.first {
            suspect = (item.mutation.id, refusal)
            passed.insert(item.mutation.id)
        } else {
            share = max(1, shipment.items.count / 2)
        }
    }

    /// A request was answered. Answers whether that finds a culprit.
    mutating func answered(_ shipment: Shipment) -> Bool {
        if let share { self.share = shipment.isCutOff ? share * 2 : nil }
        guard let suspect else { return false }
        culprit = suspect
        self.suspect = nil
        return true
    }
}
