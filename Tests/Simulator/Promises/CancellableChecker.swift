import TrendyDomain

/// Promise 12: a sync that is cancelled says so, and nothing else.
final class CancellableChecker: PromiseChecker {
    let promise = Promise.cancellable
    var followsStores: Bool { false }

    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {
        if report.failure == .cancelled, !sync.isCancelled {
            world.report(
                promise, "sync \(sync.number) of \(process.name) says that it was cancelled, and nobody did so")
        }
    }
}
