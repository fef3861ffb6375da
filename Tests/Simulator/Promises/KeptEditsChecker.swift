import Foundation
import TrendyDomain
import TrendySync

/// Promise 3, for stores that are copied or rolled back: what people wrote has been on the server, is listed, is parked, or
/// was replaced by somebody who saw it.
///
/// What was written on a store that was replaced since, and had not been sent, is lost with that store.
final class KeptEditsChecker: PromiseChecker {
    let promise = Promise.nothingVanishes
    var followsStores: Bool { false }

    func healed(_ world: World) throws {
        guard world.copying.isReplaced else { return }
        let texts = try kept(world)
        for (index, act) in world.acts.enumerated() where !world.copying.lost.contains(index) {
            for path in act.fields?.paths ?? [] {
                guard let text = act.fields?[path].uniqueText, !texts.contains(text),
                    !isReplaced(act, index, path, world)
                else { continue }
                world.report(
                    promise,
                    "\(path) of \(act.entityType) \(act.entityId), \(text), which device \(act.device) wrote, is nowhere"
                )
            }
        }
    }

    /// The texts that the server has had, and those that are listed or open on a device.
    private func kept(_ world: World) throws -> Set<String> {
        var texts: Set<String> = []
        func add(_ value: JSONValue) {
            if let text = value.uniqueText { texts.insert(text) }
            switch value {
            case .object(let members): members.values.forEach(add)
            case .array(let elements): elements.forEach(add)
            default: break
            }
        }
        for version in world.server.feed.versions.values.joined() { add(.object(version.fields ?? [:])) }
        for device in world.devices {
            let view = try world.view(of: device)
            for conflict in try view.conflicts() {
                add(conflict.localValue)
                add(conflict.remoteValue)
            }
            for mutation in view.open { add(.object(try view.fields(of: mutation.payload))) }
        }
        return texts
    }

    /// Whether somebody has said something else in its place since, or deleted the record or its parent.
    private func isReplaced(_ act: Act, _ index: Int, _ path: FieldPath, _ world: World) -> Bool {
        let names = Set(
            world.acts.filter { $0.entityId == act.entityId }.flatMap { other in
                (other.fields ?? [:]).filter { $0.key.hasSuffix("_id") }.values.compactMap(\.stringValue)
            })
        let (all, own) = (world.withStandIns(names.union([act.entityId])), world.withStandIns([act.entityId]))
        return world.acts.dropFirst(index + 1).contains { later in
            if later.isDelete { return all.contains(later.entityId) }
            return own.contains(later.entityId) && later.fields?.names(path) == true
        }
    }
}
