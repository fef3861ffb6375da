import TrendyDomain

/// Finds the one operation on which a server fails, among those of a request that it has refused as a whole.
///
/// A refusal blames nobody: the next request carries half. If a single operation is refused, a probe without
/// operations tells whether the server is well. If it is, that operation is the culprit, and the others go in growing
/// requests.
struct CulpritSearch {
    /// The mutations that are not to be sent in this cycle any more.
    private(set) var passed: Set<Int64> = []
    /// The culprit that was found last, and the refusal of it.
    private(set) var culprit: (id: Int64, refusal: Refusal)?
    /// How many mutations the next request may carry; nil for the usual number.
    private var share: Int?
    /// The mutation that was refused alone.
    private var suspect: (id: Int64, refusal: Refusal)?
    private var refusals = 0

    /// After so many refusals a cycle sends nothing more. Each culprit among 2,000 costs twelve.
    private static let limit = 60
    /// How many refusals a missing answer counts as, because the client waits for its timeout each time.
    private static let silence = 4

    /// Whether a request has to follow: a probe if there is a suspect, else the rest of the mutations.
    var isUnderWay: Bool { isProbing || share != nil && !isGivenUp }
    /// Whether nothing was refused in this cycle, or left out.
    var isIdle: Bool { refusals == 0 && passed.isEmpty }
    /// Whether a probe has to follow: a request without mutations.
    var isProbing: Bool { suspect != nil }
    /// Whether nothing is sent any more in this cycle.
    var isGivenUp: Bool { refusals >= Self.limit }

    /// How many mutations the next request may carry.
    func limit(_ usual: Int) -> Int { suspect == nil ? min(usual, share ?? usual) : 0 }

    /// Leaves a mutation out for the rest of the cycle.
    mutating func pass(_ id: Int64) { passed.insert(id) }

    /// Notes that a request was refused as a whole.
    mutating func refused(_ shipment: Shipment, _ refusal: Refusal) {
        refusals += refusal.isSilent ? Self.silence : 1
        if shipment.items.count == 1, let item = shipment.items.first {
            suspect = (item.mutation.id, refusal)
            passed.insert(item.mutation.id)
        } else {
            share = max(1, shipment.items.count / 2)
        }
    }

    /// Notes that a request was answered. Returns whether that finds a culprit.
    mutating func answered(_ shipment: Shipment) -> Bool {
        if let share { self.share = shipment.isCutOff ? share * 2 : nil }
        guard let suspect else { return false }
        culprit = suspect
        self.suspect = nil
        return true
    }
}
