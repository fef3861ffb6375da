import TrendyDomain

/// Promise 1, the other half: a record and its mutation are one save, so that a process that dies leaves both or
/// neither.
final class WholeWriteChecker: PromiseChecker {
    let promise = Promise.durable

    func died(_ process: DeviceProcess, in world: World) throws {
        let device = world.devices[process.name.device]
        let view = try DeviceView(device)
        let busy = Set(view.open.map(\.entityId))
        for type in device.schema.types {
            for id in try unsent(type, view.store) where !busy.contains(id) {
                world.report(promise, "\(process.name) died and left \(id), which waits to be sent, without a mutation")
            }
        }
    }

    /// Records that have never been on the server.
    private func unsent<Entity: SyncEntity>(_ type: Entity.Type, _ store: any DataStoreProtocol) throws -> [String] {
        try store.fetch(type, where: nil).filter { $0.syncStatus == .pending && $0.server.updatedAt == nil }.map(\.id)
    }
}
