import TrendyDomain

/// Promise 7, on the server: a change touches what it names and nothing else, of a map only the keys that it names. So
/// nobody's edit is lost to somebody who edits something else.
///
/// By the first API a map goes as a whole; see ``Model``.
final class LostEditChecker: PromiseChecker {
    let promise = Promise.rebase

    func settled(_ world: World) throws {
        guard world.server.gateway == .exact else { return }
        checkWhatIsSent(world)
        for (id, versions) in world.server.feed.versions.sorted(by: { $0.key < $1.key }) {
            for (before, after) in zip(versions, versions.dropFirst()) {
                guard let old = before.fields, let new = after.fields,
                    world.server.effects.indices.contains(after.effect)
                else { continue }
                let effect = world.server.effects[after.effect]
                guard effect.operation == .update, effect.landed == id else { continue }
                for path in new.differences(from: old)
                where !FieldPath.unchangeable.contains(path.field) && !effect.sent.data.names(path)
                    && !isWithinRequest(before, after, path, world)
                {
                    world.report(
                        promise,
                        "\(path) of \(id) went from \(old[path]) to \(new[path]) by an edit of device \(effect.device) "
                            + "that names it not")
                }
            }
        }
    }

    /// An edit names only what people of its device have said of its record.
    private func checkWhatIsSent(_ world: World) {
        for effect in world.server.effects where effect.operation == .update {
            let own = world.acts.filter { act in
                act.device == effect.device
                    && (act.entityId == effect.sent.id
                        || world.standsFor[act.device][act.entityId] == effect.sent.id)
            }
            for path in effect.sent.data.paths where !own.contains(where: { $0.fields?.names(path) == true }) {
                world.report(
                    promise,
                    "device \(effect.device) sends \(path) of \(effect.sent.id), and nobody there has said anything of it"
                )
            }
        }
    }

    /// Whether the place of an event went with the deletion of the place in the same request.
    private func isWithinRequest(
        _ before: LoggedVersion, _ after: LoggedVersion, _ path: FieldPath, _ world: World
    ) -> Bool {
        guard path.field == "geofence_id" else { return false }
        return world.server.effects[(before.effect + 1)..<after.effect].contains { $0.operation == .delete }
    }
}
