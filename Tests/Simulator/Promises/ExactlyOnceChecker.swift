import TrendyDomain

/// Promise 2: a mutation takes effect once, however often it is sent.
///
/// People write texts that occur nowhere else, so two effective writes with one text are one change done twice.
final class ExactlyOnceChecker: PromiseChecker {
    let promise = Promise.exactlyOnce

    func settled(_ world: World) throws {
        checkEdits(world)
        checkCreations(world)
    }

    private func checkEdits(_ world: World) {
        var seen: Set<String> = []
        for effect in world.server.effects where effect.operation == .update && !effect.changed.isEmpty {
            // People give types the name "tea" as often as they like.
            let texts = effect.body.replacing("\"tea\"", with: "")
            let isUnique = texts.contains("\"t") && !texts.contains("event_type_id")
            guard isUnique, effect.ids.isDisjoint(with: world.rewritten) else { continue }
            let signature = "\(effect.device) \(effect.ids) \(effect.body)"
            if !seen.insert(signature).inserted {
                world.report(
                    promise, "an edit took effect twice: device \(effect.device), \(effect.ids), \(effect.body)")
            }
        }
    }

    private func checkCreations(_ world: World) {
        var made: Set<String> = []
        for entry in world.server.feed.entries where entry.operation == .create {
            if !made.insert(entry.entityId).inserted, !world.remade.contains(entry.entityId) {
                world.report(promise, "\(entry.entityType) \(entry.entityId) was made twice")
            }
        }
        // A record that was made again in the place of itself lost what others had changed in it meanwhile.
        var creators: [String: Int] = [:]
        for effect in world.server.effects where effect.operation == .create {
            for id in effect.ids where effect.changed.contains(id) {
                guard let earlier = creators.updateValue(effect.device, forKey: id) else { continue }
                if earlier == effect.device, !world.remade.contains(id), !isUpserted(id, world) {
                    world.report(promise, "\(effect.entityType) \(id) was made again by the same device")
                }
            }
        }
    }

    private func isUpserted(_ id: String, _ world: World) -> Bool {
        world.acts.contains { act in
            guard act.entityId == id, case .create(let fields) = act.change else { return false }
            return (fields["healthkit_sample_id"] ?? .null) != .null
        }
    }
}
