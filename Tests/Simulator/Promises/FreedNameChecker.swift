import TrendyDomain
import TrendySync

/// Promise 3, for names: a change that was refused because another record had the name does not wait once the name is free.
final class FreedNameChecker: PromiseChecker {
    let promise = Promise.nothingVanishes

    func healed(_ world: World) throws {
        for device in world.devices where !world.skippers.contains(device.index) {
            let view = try world.view(of: device)
            for mutation in view.open where mutation.state.name == .parked {
                guard let type = device.schema.type(for: mutation.entityType), mutation.isRefused(forNameOf: type),
                    let wanted = try name(type, mutation, view), !isTaken(wanted, type, mutation, world)
                else { continue }
                world.report(
                    promise,
                    "mutation \(mutation.id) of \(mutation.entityId) on device \(device.index) waits for a name that "
                        + "nobody has")
            }
        }
    }

    /// The name that the mutation gives its record. A later one that waits behind it may give another.
    private func name<Entity: SyncEntity>(
        _ type: Entity.Type, _ mutation: PendingMutation, _ view: DeviceView
    ) throws -> NaturalKey? {
        let said = try view.fields(of: mutation.payload)
        return try view.fields(type, mutation.entityId).flatMap { NaturalKey(of: type, in: $0.merging(said) { $1 }) }
    }

    private func isTaken(
        _ wanted: NaturalKey, _ type: any SyncEntity.Type, _ mutation: PendingMutation, _ world: World
    ) -> Bool {
        // A feed does not tell of each record.
        world.server.feed.versions.values.compactMap(\.last).contains { entry in
            entry.entityType == type.entityType && entry.entityId != mutation.entityId
                && entry.fields.flatMap { NaturalKey(of: type, in: $0) } == wanted
        }
    }
}
