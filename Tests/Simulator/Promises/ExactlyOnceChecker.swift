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
            if world.rewritten.contains(effect.landed) { continue }
            for path in effect.sent.data.paths {
                guard let text = effect.sent.data[path].uniqueText else { continue }
                // A map goes whole by the first API.
                if world.server.gateway == .rest, path.key != nil { continue }
                // What is there already is not changed by being said again.
                let before = world.server.feed.versions[effect.landed]?.last { $0.effect < effect.sequence }
                if before?.fields?[path] == effect.sent.data[path] { continue }
                // Who makes a record again says once more what it held.
                if isInRemaking(effect, path, world) { continue }
                if !seen.insert("\(effect.device) \(effect.landed) \(path) \(text)").inserted {
                    world.report(
                        promise,
                        "an edit took effect twice: device \(effect.device), \(path) of \(effect.landed), \(text)")
                }
            }
        }
    }

    /// Whether the device has said a value by making the record again. An edit carries it where the record is there, or where
    /// its deletion is taken back.
    private func isInRemaking(_ effect: ServerEffect, _ path: FieldPath, _ world: World) -> Bool {
        guard world.remade.contains(effect.landed) else { return false }
        let sayings = world.acts.filter { act in
            act.device == effect.device && act.entityId == effect.landed && act.fields?[path] == effect.sent.data[path]
        }
        return sayings.count > 1 || sayings.contains(where: \.isCreate)
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
        for effect in world.server.effects
        where effect.operation == .create && effect.changed.contains(effect.landed) {
            let id = effect.landed
            guard let earlier = creators.updateValue(effect.device, forKey: id) else { continue }
            if earlier == effect.device, !world.remade.contains(id), !isUpserted(id, world) {
                world.report(promise, "\(effect.entityType) \(id) was made again by the same device")
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

extension JSONValue {
    /// The text, where it is one that occurs once in a history: those that people write begin so.
    var uniqueText: String? {
        let text = stringValue ?? objectValue?["value"]?.stringValue
        guard let text, text.hasPrefix("t"), text.count > 4, text != "text" else { return nil }
        return text
    }
}
