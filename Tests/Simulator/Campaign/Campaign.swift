import Dispatch
import QuietSQLite
import Synchronization

/// Many histories, on all cores.
public struct Campaign: Sendable {
    /// What came of it.
    public struct Outcome: Sendable {
        public var gateway = Gateway.exact
        public var histories = 0
        public var acts = 0
        public var syncs = 0
        public var seconds = 0.0
        /// In the order of their seeds.
        public var failures: [History] = []

        /// The outcome in one line.
        public var summary: String {
            "\(gateway) gateway, \(histories) histories, \(acts) acts, \(syncs) syncs in \(Int(seconds)) s: "
                + (failures.isEmpty ? "every promise held" : "\(failures.count) broke a promise")
        }
    }

    private let request: HistoryRequest
    private let seeds: Range<UInt64>
    private let failureLimit: Int

    /// - Parameter failureLimit: After how many failing histories to stop.
    public init(request: HistoryRequest, seeds: Range<UInt64>, failureLimit: Int = 1) {
        self.request = request
        self.seeds = seeds
        self.failureLimit = failureLimit
    }

    /// Runs them.
    ///
    /// - Parameter look: Called with each history, one at a time, in the order of their seeds.
    public func run(_ look: @Sendable (History) -> Void = { _ in }) -> Outcome {
        quiet_sqlite_memory()
        let start = ContinuousClock.now
        let next = Mutex(seeds.lowerBound)
        let outcome = Mutex(Outcome(gateway: request.gateway))
        let shown = Mutex(InOrder(next: seeds.lowerBound))
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            while true {
                if outcome.withLock({ $0.failures.count >= failureLimit }) { return }
                let seed = next.withLock { next in
                    defer { next += 1 }
                    return next
                }
                if !seeds.contains(seed) { return }
                let history = request.run(seed)
                shown.withLock { $0.take(history, look) }
                outcome.withLock { outcome in
                    outcome.histories += 1
                    outcome.acts += history.acts
                    outcome.syncs += history.syncs
                    if !history.violations.isEmpty { outcome.failures.append(history) }
                }
            }
        }
        var result = outcome.withLock { $0 }
        result.failures.sort { $0.seed < $1.seed }
        result.seconds = (ContinuousClock.now - start) / .seconds(1)
        return result
    }

    private static var threads: Int { max(1, min(8, DispatchQueue.activeCores)) }
}

/// Holds histories back until those of all seeds before theirs are there.
private struct InOrder {
    var next: UInt64
    var waiting: [UInt64: History] = [:]

    init(next: UInt64) { self.next = next }

    mutating func take(_ history: History, _ look: (History) -> Void) {
        waiting[history.seed] = history
        while let due = waiting.removeValue(forKey: next) {
            look(due)
            next += 1
        }
    }
}
