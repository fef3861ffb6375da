import TrendyDomain

/// Promise 1, the other half: a record and its mutation are one save, so that a process that dies leaves both or
/// neither.
final class WholeWriteChecker: PromiseChecker {
    let promise = Promise.durable

    func died(_ process: DeviceProcess, in world: World) throws {
        let device = world.devices[process.name.device]
        let view = try world.view(of: device)
        for type in device.schema.types {
            let lost = try unsent(type, view.store).filter { view.openByRecord[$0] == nil }
            let bases = lost.isEmpty ? [:] : try view.store.bases(type.entityType, ids: lost)
            for id in lost where bases[id] == nil {
                world.report(promise, "\(process.name) died and left \(id), which waits to be sent, without a mutation")
            }
        }
    }

    private func unsent<Entity: SyncEntity>(_ type: Entity.Type, _ store: any DataStoreProtocol) throws -> [String] {
        try store.fetch(type, where: nil).filter { $0.syncStatus != .synced }.map(\.id)
    }
}
