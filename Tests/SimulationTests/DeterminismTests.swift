import Testing
import TrendySimulator

@Suite("Determinism")
struct DeterminismTests {
    static let small = Profile(devices: 2, steps: 150)

    @Test("a seed gives the same history twice, byte by byte", arguments: [1, 2, 3, 5, 8] as [UInt64])
    func sameSeedSameHistory(_ seed: UInt64) {
        let first = Simulation.run(seed: seed, profile: Self.small)
        let second = Simulation.run(seed: seed, profile: Self.small)
        #expect(first.trace.count > 150)
        #expect(first.trace == second.trace)
        #expect(first.digest == second.digest)
    }

    @Test("so does a long history with every fault", arguments: Gateway.allCases)
    func longHistory(_ gateway: Gateway) {
        let first = Simulation.run(seed: 13, gateway: gateway, profile: .full, plan: .everything)
        let second = Simulation.run(seed: 13, gateway: gateway, profile: .full, plan: .everything)
        #expect(first.trace == second.trace)
    }

    @Test("another seed gives another history")
    func otherSeedOtherHistory() {
        let first = Simulation.run(seed: 1, profile: Self.small)
        let second = Simulation.run(seed: 2, profile: Self.small)
        #expect(first.digest != second.digest)
    }

    @Test("leaving out steps changes nothing in what the others draw", arguments: [4, 6, 7] as [UInt64])
    func leavingOutSteps(_ seed: UInt64) {
        let all = Simulation.run(seed: seed, profile: Self.small, plan: FaultPlan.none)
        let some = Simulation.run(
            seed: seed, profile: Self.small, plan: FaultPlan.none, steps: (1...150).filter { $0 % 3 != 0 })
        let (before, after) = (decisions(all.trace), decisions(some.trace))
        #expect(after.count > 10)
        #expect(after.keys.allSatisfy { $0 % 3 != 0 })
        for (step, decision) in after { #expect(before[step] == decision, "step \(step)") }
    }

    /// What a person decided to do, and where, by step: that hangs on nothing but the step's own chances.
    private func decisions(_ trace: [String]) -> [Int: String] {
        var decisions: [Int: String] = [:]
        for (line, next) in zip(trace, trace.dropFirst()) {
            guard line.hasSuffix(":"), let step = Int(line.dropLast()) else { continue }
            let words = next.split(separator: " ")
            if words.count == 2, words[0].count == 3, words[0].contains(".") { decisions[step] = next }
        }
        return decisions
    }
}
