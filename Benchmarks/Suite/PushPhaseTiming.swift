import Foundation
import TrendyData
import TrendyDomain
import TrendySync

/// One sync of a device, in this process, with the times at which its phases begin.
struct PushPhaseTiming {
    let home: String

    struct Result {
        /// Seconds from the first request that carries changes to the end of the push.
        var push: Double
        /// Seconds of the whole cycle: health check, push, and reading its own changes back from the feed.
        var cycle: Double
        var pushed: Int
    }

    func run() async throws -> Result {
        let store = FileCredentialStore(file: URL(filePath: home + "/credentials.json"))
        guard let credentials = try store.load() else { throw ChildFailure(description: "\(home) is not signed in") }
        let engine = SyncEngine(
            networkClient: APIClient(server: credentials.server, credentials: store),
            dataStoreFactory: LocalStoreFactory(path: home + "/trendy.sqlite"))
        let states = engine.stateChanges
        let watcher = Task {
            var (began, ended): (ContinuousClock.Instant?, ContinuousClock.Instant?)
            for await state in states {
                if case .syncing = state, began == nil { began = ContinuousClock.now }
                if case .pulling = state, began != nil {
                    ended = ContinuousClock.now
                    break
                }
            }
            guard let began, let ended else { return Double.nan }
            return (ended - began) / .seconds(1)
        }
        let start = ContinuousClock.now
        let report = await engine.performSync()
        let cycle = (ContinuousClock.now - start) / .seconds(1)
        guard report.failure == nil else { throw ChildFailure(description: report.error ?? "the sync failed") }
        return Result(push: await watcher.value, cycle: cycle, pushed: report.pushed)
    }
}
