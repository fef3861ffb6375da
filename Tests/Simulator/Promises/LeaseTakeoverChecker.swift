import TrendyDomain
import TrendySync

/// Promise 10, the other side: the right to sync does not outlive whoever has it.
final class LeaseTakeoverChecker: PromiseChecker {
    let promise = Promise.singleFlight

    private struct Lease: Decodable {
        var owner: String
    }

    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {
        guard report.failure == .store, report.error == StoreError.busy.description, process.isAlive else { return }
        let text = try world.devices[process.name.device].reader().metadata(MetadataKey.lease)
        guard let text, let lease = try? WireCoding.decode(Lease.self, from: .init(text.utf8)) else { return }
        if !world.environment.living.contains(lease.owner) {
            world.report(
                promise, "sync \(sync.number) of \(process.name) gave up waiting for \(lease.owner), which is dead")
        }
    }
}
