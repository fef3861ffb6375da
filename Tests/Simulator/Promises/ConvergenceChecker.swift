import TrendyDomain

/// Promise 8: when all have synced and nothing is pending, all hold equal records, and they are what people made
/// of them. What people call by the same name is one record.
final class ConvergenceChecker: PromiseChecker {
    let promise = Promise.convergence
    var followsStores: Bool { false }

    func settled(_ world: World) throws {
        try compareDevices(world)
        // The model follows what people did through the ledger of their device, and that may be gone with its store.
        if !world.copying.isReplaced { try compareWithModel(world) }
        try lookForTwins(world)
    }

    /// Nothing is open, and each device has what the server has.
    func compareDevices(_ world: World) throws {
        for device in world.devices {
            let open = try world.view(of: device).open
            for mutation in open {
                world.report(
                    promise,
                    "mutation \(mutation.id) of device \(device.index) (\(mutation.operation) of \(mutation.entityType) "
                        + "\(mutation.entityId)) is still \(mutation.state)")
            }
            for type in device.schema.types { try compare(type, device, world) }
        }
    }

    /// What people mean by one name is one type, however each of them writes it.
    private func lookForTwins(_ world: World) throws {
        let types = try world.server.all(EventType.self).map(\.entity)
        for (word, same) in Dictionary(grouping: types, by: { Spelling.meaning(of: $0.name) }) where same.count > 1 {
            let names = same.map { "\($0.id) ('\($0.name)')" }.sorted().joined(separator: " and ")
            world.report(promise, "people mean one type by '\(word)', and the server has \(names)")
        }
    }

    private func compare<Entity: SyncEntity>(_ type: Entity.Type, _ device: SimulatedDevice, _ world: World) throws {
        let there = Dictionary(try world.server.all(type).map { ($0.id, $0.entity) }, uniquingKeysWith: { $1 })
        let records = try device.reader().fetch(type, where: nil)
        for record in records where record.revision < 0 {
            world.report(promise, "\(Entity.entityType) \(record.id) is of a former history on device \(device.index)")
        }
        let here = Dictionary(records.map { ($0.id, $0.entity) }, uniquingKeysWith: { $1 })
        for id in Set(there.keys).union(here.keys).sorted() where there[id] != here[id] {
            let (left, right) = (text(here[id]), text(there[id]))
            world.report(
                promise, "\(Entity.entityType) \(id): device \(device.index) has \(left), the server has \(right)")
        }
    }

    private func text<Entity: SyncEntity>(_ entity: Entity?) -> String {
        guard let entity, let json = try? WireCoding.encode(entity) else { return "nothing" }
        return String(decoding: json, as: UTF8.self)
    }

    private func compareWithModel(_ world: World) throws {
        let model = try Model(world)
        for type in EntitySchema.trendy.types + [Memo.self] { try compare(type, model, world) }
    }

    private func compare<Entity: SyncEntity>(_ type: Entity.Type, _ model: Model, _ world: World) throws {
        let there = Dictionary(try world.server.all(type).map { ($0.id, $0.entity) }, uniquingKeysWith: { $1 })
        let expected = try model.records(type)
        for id in Set(there.keys).union(expected.keys).sorted() where there[id] != expected[id] {
            // A sample that several devices log is replaced by each of them, also when one does so again.
            if (there[id] as? Event)?.healthKitSampleId != nil { continue }
            let (left, right) = (text(expected[id]), text(there[id]))
            world.report(
                promise, "\(Entity.entityType) \(id): people made \(left) of it, the server has \(right)")
        }
    }
}
