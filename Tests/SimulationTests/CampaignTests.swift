import Foundation
import Synchronization
import Testing
import TrendySimulator

@Suite("Campaigns")
struct CampaignTests {
    /// How many histories of each gateway are run, unless the environment says otherwise, and how many without faults.
    static let histories: UInt64 = 50
    static let quietHistories: UInt64 = 6
    /// How many histories have devices that follow the server.
    static let followingHistories: UInt64 = 25
    /// How many histories have stores that are copied and rolled back.
    static let copiedHistories: UInt64 = 25

    @Test("no checker objects to a world without faults", arguments: Gateway.allCases, 1...quietHistories)
    func quietWorld(_ gateway: Gateway, _ seed: UInt64) {
        let history = Simulation.run(
            seed: seed, gateway: gateway, profile: Profile(devices: 3, steps: 200), plan: FaultPlan.none)
        #expect(history.violations.isEmpty)
        #expect(history.acts > 5)
        #expect(history.syncs > 5)
    }

    @Test("no history breaks a promise", arguments: Gateway.allCases)
    func everyPromiseHolds(_ gateway: Gateway) {
        let count = ProcessInfo.processInfo.environment["SIM_SEEDS"].flatMap { UInt64($0) } ?? Self.histories
        let request = HistoryRequest(gateway: gateway)
        let outcome = Campaign(request: request, seeds: 1..<(count + 1), failureLimit: 5).run()
        for failure in outcome.failures {
            Issue.record("seed \(failure.seed): \(failure.violations.first?.description ?? "")")
        }
        if outcome.failures.isEmpty { #expect(outcome.histories == Int(count)) }
        #expect(outcome.summary.hasPrefix("\(gateway) gateway"))
    }

    @Test("no history of devices that follow the server breaks a promise")
    func followers() {
        // Servers of the older routes tell nobody anything.
        let request = HistoryRequest(profile: BugHunt.profile, follows: true)
        let outcome = Campaign(request: request, seeds: 1..<(Self.followingHistories + 1), failureLimit: 5).run()
        for failure in outcome.failures {
            Issue.record("seed \(failure.seed): \(failure.violations.first?.description ?? "")")
        }
    }

    @Test("no history in which stores are copied and rolled back breaks a promise")
    func copies() {
        let request = HistoryRequest(profile: BugHunt.profile, copies: true)
        let outcome = Campaign(request: request, seeds: 1..<(Self.copiedHistories + 1), failureLimit: 5).run()
        for failure in outcome.failures {
            Issue.record("seed \(failure.seed): \(failure.violations.first?.description ?? "")")
        }
    }

    @Test(
        "histories that once broke a promise hold it", arguments: Gateway.allCases,
        [9_101_063, 9_200_325, 9_203_734] as [UInt64])
    func onceBroken(_ gateway: Gateway, _ seed: UInt64) {
        #expect(HistoryRequest(gateway: gateway).run(seed).violations.isEmpty)
    }

    @Test("a campaign shows its histories in the order of their seeds")
    func inOrder() {
        let shown = Mutex<[UInt64]>([])
        let request = HistoryRequest(profile: Profile(devices: 2, steps: 20))
        _ = Campaign(request: request, seeds: 1..<41).run { history in shown.withLock { $0.append(history.seed) } }
        #expect(shown.withLock { $0 } == Array(1...40))
    }

    @Test("a campaign stops at the limit of failures and tells them in the order of their seeds")
    func stopsAtLimit() throws {
        let bug = try #require(PlantedBug.named("last change of an answer is passed over"))
        let request = HistoryRequest(profile: Profile(devices: 2, steps: 120), bug: bug)
        let outcome = Campaign(request: request, seeds: 1..<200, failureLimit: 2).run()
        #expect(outcome.failures.count >= 2)
        #expect(outcome.histories < 199)
        #expect(outcome.failures.map(\.seed) == outcome.failures.map(\.seed).sorted())
        #expect(outcome.summary.contains("broke a promise"))
    }
}
