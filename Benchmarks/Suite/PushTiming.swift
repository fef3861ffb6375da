import Foundation
import TrendyData
import TrendyDomain
import TrendySync

/// One sync of a device that has everything and has much to send, in this process.
struct PushTiming {
    let home: String

    /// How many seconds it took.
    func run() async throws -> Double {
        let store = FileCredentialStore(file: URL(filePath: home + "/credentials.json"))
        guard let credentials = try store.load() else { throw ChildFailure(description: "\(home) is not signed in") }
        let engine = SyncEngine(
            networkClient: APIClient(server: credentials.server, credentials: store),
            dataStoreFactory: LocalStoreFactory(path: home + "/trendy.sqlite"))
        let start = ContinuousClock.now
        let report = await engine.performSync()
        let time = (ContinuousClock.now - start) / .seconds(1)
        guard report.failure == nil else { throw ChildFailure(description: report.error ?? "the sync failed") }
        return time
    }
}
