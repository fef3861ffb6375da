/// Looks for the shortest history that breaks the same promise: first a prefix of it, then with ever more of its
/// steps left out, then with fewer faults.
public struct Shrinker {
    private let seed: UInt64
    private let promise: Promise
    private var request: HistoryRequest
    private var steps: [Int]
    private var attemptsLeft: Int

    /// - Parameter attempts: How many histories to try at most.
    public init(_ failure: History, _ request: HistoryRequest, attempts: Int = 600) {
        seed = failure.seed
        promise = failure.violations.first?.promise ?? .convergence
        self.request = request
        let profile = request.profile ?? Simulation.profile(of: failure.seed)
        steps = request.steps ?? Array(1...profile.steps)
        attemptsLeft = attempts
    }

    /// The shortest request that was found.
    public mutating func shrink() -> HistoryRequest {
        shrinkToPrefix()
        leaveOutSteps()
        leaveOutFaults()
        leaveOutSteps()
        request.steps = steps
        return request
    }

    private mutating func fails(_ steps: [Int], without: Set<Fault>? = nil) -> Bool {
        guard attemptsLeft > 0 else { return false }
        attemptsLeft -= 1
        var attempt = request
        attempt.steps = steps
        if let without { attempt.without = without }
        return attempt.run(seed).violations.contains { $0.promise == promise }
    }

    /// The shortest prefix that fails; found by halving, so that it is a shortest one where failures last.
    private mutating func shrinkToPrefix() {
        var low = 0
        var high = steps.count
        while low < high {
            let middle = (low + high) / 2
            if fails(Array(steps.prefix(middle))) { high = middle } else { low = middle + 1 }
        }
        steps = Array(steps.prefix(high))
    }

    /// Leaves out ever smaller runs of steps (ddmin; Zeller and Hildebrandt 2002).
    private mutating func leaveOutSteps() {
        var size = max(1, steps.count / 2)
        while true {
            var start = 0
            while start < steps.count {
                let end = min(start + size, steps.count)
                let rest = Array(steps[..<start] + steps[end...])
                if fails(rest) { steps = rest } else { start = end }
            }
            if size == 1 || attemptsLeft == 0 { return }
            size /= 2
        }
    }

    private mutating func leaveOutFaults() {
        for fault in Fault.allCases
        where Simulation.plan(of: seed, request.gateway).has(fault) && !request.without.contains(fault) {
            let fewer = request.without.union([fault])
            if fails(steps, without: fewer) { request.without = fewer }
        }
    }
}
