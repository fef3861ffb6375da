import TrendyDomain

/// Promise 6: what was deleted does not come back.
final class NoResurrectionChecker: PromiseChecker {
    let promise = Promise.noResurrection
    /// The deletions that the server refused at some time, by device: what was made anew may stand for their records.
    private var refused: [Int: Set<Int64>] = [:]

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for mutation in view.open where mutation.operation == .delete && mutation.state.name == .parked {
            refused[device.index, default: []].insert(mutation.id)
        }
        for (kind, ids) in view.touched {
            for id in ids where world.deletedHere[device.index][id] != nil {
                guard try view.store.shows(kind, id) else { continue }
                if try !standsForAnother(id, device, world), try !isMadeAnew(id, device, view, world) {
                    world.report(promise, "\(id) was deleted on device \(device.index) and is back there")
                }
                world.deletedHere[device.index][id] = nil
            }
        }
    }

    /// On the server too: a stale edit must not make a record anew.
    func settled(_ world: World) throws {
        var deleted: Set<String> = []
        for entry in world.server.feed.entries {
            // The place of a late one says nothing of when it was done: what it took along may have come before.
            if entry.operation == .delete {
                if !entry.isLate { deleted.insert(entry.entityId) }
            } else if deleted.contains(entry.entityId), !world.remade.contains(entry.entityId), !entry.isLate {
                world.report(promise, "\(entry.entityId) was deleted on the server and is back by change \(entry.id)")
            }
        }
        for (id, versions) in world.server.feed.versions.sorted(by: { $0.key < $1.key })
        where !world.remade.contains(id) {
            // What the feed does not tell has no place in it.
            guard let end = versions.firstIndex(where: { $0.id == 0 && $0.operation == .delete }),
                versions[end...].contains(where: { $0.operation != .delete })
            else { continue }
            world.report(promise, "\(id) was deleted on the server without a word and is back there")
        }
    }

    /// Whether somebody has brought the record back, and that was news to the device when it deleted it.
    private func isMadeAnew(
        _ id: String, _ device: SimulatedDevice, _ view: DeviceView, _ world: World
    ) throws -> Bool {
        guard world.remade.contains(id),
            let made = world.server.feed.versions[id]?.last(where: { $0.operation == .create }),
            let act = world.acts.last(where: { $0.device == device.index && $0.entityId == id && $0.isDelete })
        else { return false }
        // Whatever became of the deletion here: another life of the record began that it did not mean.
        // Where nothing was to be sent, the person has only accepted that another one had deleted it.
        return made.effect >= act.serverHadDone || made.id > act.cursor || act.mutationId == 0
            || world.skippers.contains(device.index)
    }

    /// Whether a record is here because what was made here anew turned out to be it, after the server had refused the deletion.
    /// Otherwise the deletion goes first, and makes room.
    private func standsForAnother(_ id: String, _ device: SimulatedDevice, _ world: World) throws -> Bool {
        guard world.standsFor[device.index].values.contains(id),
            let deletion = world.acts.last(where: { $0.device == device.index && $0.entityId == id && $0.isDelete })
        else { return false }
        return refused[device.index]?.contains(deletion.mutationId) == true
    }
}
