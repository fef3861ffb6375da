/// How often a server has failed in a cycle on what it failed on before.
///
/// Each failure costs several requests, because the server may have failed after its commit. Where the server carries out
/// nothing, more of them tell nothing new.
struct RepeatedFailures {
    private var count = 0
    private var isWriting = false

    /// After how many failures the rest of what is troubled waits for the next cycle.
    private static let limit = 10

    /// Whether nothing that is troubled is sent any more in this cycle.
    var isSpent: Bool { count >= Self.limit && !isWriting }

    mutating func note() { count += 1 }

    /// Notes that the server has carried something out.
    mutating func noteSuccess() { isWriting = true }
}
