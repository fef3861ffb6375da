import TrendyDomain

/// What people meant: their acts in the order in which the server took them, applied to plain dictionaries.
///
/// It shares nothing with the engine, and knows nothing of queues, merging or feeds.
struct Model {
    private var records: [EntityType: [String: Fields]] = [:]
    /// The records that ids have come to stand for, because they were made elsewhere before.
    private var standIns: [String: [StandIn]] = [:]
    private let world: World

    init(_ world: World) throws {
        self.world = world
        var taken: [(sequence: Int, id: String, act: Act)] = []
        for (index, act) in world.acts.enumerated() {
            switch try world.outcome(of: act, index) {
            case .effective(let sequence, let id):
                if act.isCreate, id != act.entityId { standIn(id, for: act) }
                taken.append((sequence, id, world.withoutWhatWasThere(act, index, at: sequence)))
                for again in world.saidAgain(act, after: sequence) { taken.append((again.sequence, id, again.act)) }
            case .standsFor(let id): standIn(id, for: act)
            case .none:
                if let again = world.deletionAgain(of: act, index) { taken.append((again.sequence, act.entityId, act)) }
            }
        }
        // The sort is stable in effect: acts that went out together keep the order in which they were done.
        for (_, item) in taken.enumerated().sorted(by: { ($0.1.sequence, $0.0) < ($1.1.sequence, $1.0) }) {
            apply(item.act, to: item.id, at: item.sequence)
        }
    }

    func records<Entity: SyncEntity>(_ type: Entity.Type) throws -> [String: Entity] {
        try (records[Entity.entityType] ?? [:]).mapValues { fields in
            try WireCoding.value(Entity.self, from: fields.filter { $0.value != .null })
        }
    }

    private mutating func standIn(_ id: String, for creation: Act) {
        standIns[creation.entityId, default: []].append(StandIn(id: id, creation: creation))
    }

    /// The record that an id means at this moment: what stands for another now may have been a record of its own. One
    /// that was deleted and made anew can have come to stand for two, one after the other: who made it meant the last.
    ///
    /// - Parameter sent: What the device named.
    private func resolved(_ type: EntityType, _ id: String, by act: Act, sent: JSONValue?) -> String {
        // Others may have made the record again since, under the same id.
        if let own = standIns[id]?.last(where: { $0.creation.device == act.device && sent == .string($0.id) }) {
            return own.id
        }
        var names = [id]
        var next = 0
        while next < names.count {
            if records[type]?[names[next]] != nil { return names[next] }
            let others = standIns[names[next], default: []]
            let meant = others.filter { $0.creation.device == act.device }
            names += (meant.reversed() + others).map(\.id).filter { !names.contains($0) }
            next += 1
        }
        return id
    }

    /// - Parameter id: The record on which the server carried the act out.
    private mutating func apply(_ act: Act, to id: String, at sequence: Int) {
        let type = act.entityType
        switch act.change {
        case .create(var fields):
            fields["id"] = .string(id)
            let made = withReferences(fields, by: act, at: sequence)
            records[type, default: [:]][id] = made
        case .update(let changes):
            guard let fields = records[type]?[id] else { return }
            var changed = fields.applying(changes)
            if world.server.gateway == .rest, let map = changes["properties"], map != .null {
                // A map goes whole by the first API: the keys of others that came between the look and the change are
                // lost. That is the one promise that is weaker there.
                changed["properties"] = world.server.effects[sequence].sent.data["properties"] ?? changed["properties"]
            }
            changed = withReferences(changed, by: act, at: sequence)
            records[type]?[id] = changed
        case .delete:
            records[type]?[id] = nil
            forget(type, id)
        }
    }

    /// The fields, with the ids that records go by now, and without references to what is gone.
    private func withReferences(_ fields: Fields, by act: Act, at sequence: Int) -> Fields {
        var fields = fields
        let sent = world.server.effects[sequence].sent.data
        if let type = fields["event_type_id"]?.stringValue {
            fields["event_type_id"] = .string(resolved(.eventType, type, by: act, sent: sent["event_type_id"]))
        }
        if let place = fields["geofence_id"]?.stringValue {
            let present = resolved(.geofence, place, by: act, sent: sent["geofence_id"])
            fields["geofence_id"] = records[.geofence]?[present] == nil ? nil : .string(present)
        }
        return fields
    }

    /// Events and properties go with their type; a place leaves the events.
    private mutating func forget(_ type: EntityType, _ id: String) {
        for kind in [EntityType.event, .propertyDefinition] where type == .eventType {
            let left = records[kind]?.filter { $0.value["event_type_id"] != .string(id) }
            records[kind] = left
        }
        guard type == .geofence else { return }
        for (event, fields) in records[.event] ?? [:] where fields["geofence_id"] == .string(id) {
            records[.event]?[event]?["geofence_id"] = nil
        }
    }
}

/// A record that an id stands for since a creation of it turned out to be one.
private struct StandIn {
    var id: String
    var creation: Act
}

extension World {
    /// What a creation, or an edit that went with it, says once more with an edit. By the first API nobody can tell whether a record that is there is
    /// one's own or has been edited since; the person is told of what differs. So it is with an edit that has no entry in the
    /// feed, and whose answer was lost.
    func saidAgain(_ act: Act, after sequence: Int) -> [(sequence: Int, act: Act)] {
        let effect = server.effects[sequence]
        guard server.gateway == .rest,
            act.isCreate || effect.operation == .create || !server.feed.hasEntry(of: effect),
            let fields = act.fields, let mutation = effect.sent.mutation
        else { return [] }
        return effects(ofMutation: mutation, on: act.device).filter {
            $0.sequence > sequence && $0.operation == .update
        }.map { effect in
            var change: Fields = [:]
            for path in fields.paths
            where effect.sent.data.names(path) && effect.sent.data[path] == fields[path]
                && server.hasTaken(fields[path], path, with: effect)
            {
                change[path] = fields[path]
            }
            var other = act
            other.change = .update(change)
            return (effect.sequence, other)
        }
    }

    /// An act as the server can have it: without the values that were there already, because somebody else had said the
    /// same, or because an earlier request had arrived, and without those that its people have taken back since. They are
    /// not sent.
    func withoutWhatWasThere(_ act: Act, _ index: Int, at sequence: Int) -> Act {
        let effect = server.effects[sequence]
        guard let fields = act.fields else { return act }
        guard effect.operation == .update else { return withoutWhatWasNotTaken(act, index, fields, effect) }
        var change: Fields = [:]
        for path in fields.paths {
            // By the first API a map goes whole, and a key that it lacks is cleared.
            let isCleared = server.gateway == .rest && path.key != nil && fields[path] == .null
            let isSent =
                effect.sent.data.names(path)
                || isCleared && effect.sent.data[path.field] != nil && effect.sent.data[path] == .null
            if isSent, !isTaken(fields[path], path, by: effect) || isSuperseded(act, path, by: effect) { continue }
            let isKept =
                isSent
                || !isClearedBeforeMade(act, index, path) && !isTakenBack(act, index, path, before: effect)
                    && !isOfDeletedPlace(act, index, path, effect)
                    && !meanings(of: fields[path], on: act.device).contains {
                        wasThere($0, path, effect.landed, before: sequence)
                    }
            if isKept { change[path] = fields[path] }
        }
        var other = act
        other.change = .update(change)
        return other
    }

    /// What a creation carries, without what a server of the first API has left out, and has not taken with an edit of the
    /// rest either.
    private func withoutWhatWasNotTaken(_ act: Act, _ index: Int, _ fields: Fields, _ effect: ServerEffect) -> Act {
        guard effect.operation == .create else { return act }
        var left: Fields = act.isCreate ? fields : [:]
        for path in fields.paths where !isJoinedLater(act, index, path, effect) {
            let isLeft = isTaken(fields[path], path, by: effect) && !isOfDeletedPlace(act, index, path, effect)
            left[path] = isLeft ? fields[path] : .null
            if act.isCreate, isUnderOtherName(effect, than: fields[path], path) { left[path] = effect.sent.data[path] }
        }
        var other = act
        other.change = act.isCreate ? .create(left) : .update(left)
        return other
    }

    /// Whether a record was made under a name with digits, because another record had its name, and never got its own, because
    /// that other record still has the name.
    private func isUnderOtherName(_ effect: ServerEffect, than name: JSONValue, _ path: FieldPath) -> Bool {
        guard let own = name.stringValue, effect.sent.data[path] == .string("\(own) \(effect.landed.suffix(4))") else {
            return false
        }
        let isTaken = server.feed.versions.contains { id, versions in
            id != effect.landed && versions.last?.entityType == effect.entityType
                && versions.last?.fields?[path].stringValue.map { NameKey($0) } == NameKey(own)
        }
        return isTaken
            && !server.effects.contains {
                $0.device == effect.device && $0.landed == effect.landed && $0.sequence > effect.sequence
                    && $0.sent.data[path] == name
            }
    }

    /// Whether a creation left without a value that the act says, because the act joined it only after that. The creation has
    /// a value that people said before, or went back to since.
    private func isJoinedLater(_ act: Act, _ index: Int, _ path: FieldPath, _ effect: ServerEffect) -> Bool {
        let sent = effect.sent.data[path]
        guard !act.isCreate, act.mutationId != effect.sent.mutation, !isSaid(sent, path, by: act) else { return false }
        return acts.enumerated().contains { position, other in
            position != index && other.device == act.device && other.entityId == act.entityId
                && isSaid(sent, path, by: other)
        }
    }

    /// Whether an act gave a value that was sent, or named a record for which the one that was sent stands: a device
    /// sends the id that a record of its own goes by since.
    private func isSaid(_ sent: JSONValue, _ path: FieldPath, by act: Act) -> Bool {
        guard let fields = act.fields, fields.names(path) else { return false }
        return meanings(of: fields[path], on: act.device).contains(sent)
    }

    /// A value, and the ids of the records that stand on a device for the one that it names.
    private func meanings(of value: JSONValue, on device: Int) -> [JSONValue] {
        var meanings = [value]
        while let id = meanings.last?.stringValue, let twin = standsFor[device][id], !meanings.contains(.string(twin)) {
            meanings.append(.string(twin))
        }
        return meanings
    }

    /// Whether a value names a place that people of the same device have deleted before it was sent, or anybody on the server.
    private func isOfDeletedPlace(_ act: Act, _ index: Int, _ path: FieldPath, _ effect: ServerEffect) -> Bool {
        guard path.field == "geofence_id", !effect.sent.data.names(path), let place = act.fields?[path].stringValue
        else {
            return false
        }
        let isDeletedHere = acts[..<min(effect.actsBefore, acts.count)].contains {
            $0.device == act.device && $0.isDelete && $0.entityId == place && $0.mutationId > act.mutationId
        }
        return isDeletedHere || server.wasGone(place, after: index, before: effect.sequence)
    }

    /// Whether a server took a value that it was sent, at once or with what was sent of the same mutation since. Those of
    /// the first API leave some out, and say so; then the mutation is parked.
    private func isTaken(_ value: JSONValue, _ path: FieldPath, by effect: ServerEffect) -> Bool {
        guard server.gateway == .rest, effect.sent.data[path] == value, let mutation = effect.sent.mutation else {
            return true
        }
        return effects(ofMutation: mutation, on: effect.device).contains {
            server.hasTaken(value, path, with: $0)
        }
    }

    /// Whether a value was refused, and an edit of the record itself went in its place: the act was of a record for which that one
    /// stands now.
    private func isSuperseded(_ act: Act, _ path: FieldPath, by effect: ServerEffect) -> Bool {
        let sent = effect.sent.data[path]
        guard act.entityId != effect.landed, sent != act.fields?[path] else { return false }
        return acts.contains {
            $0.device == act.device && $0.entityId == effect.landed && $0.fields?.names(path) == true
                && $0.fields?[path] == sent
        }
    }

    /// Whether an act empties a place of a record that its people have made and not sent yet. Then they have made it
    /// without the value, and say nothing of the value that somebody else gives to the same record.
    private func isClearedBeforeMade(_ act: Act, _ index: Int, _ path: FieldPath) -> Bool {
        act.fields?[path] == .null
            && acts[..<index].contains {
                $0.isCreate && $0.device == act.device && $0.mutationId == act.mutationId
            }
    }

    /// Whether people of the same device have said something else, or taken it back, before it was sent.
    private func isTakenBack(_ act: Act, _ index: Int, _ path: FieldPath, before effect: ServerEffect) -> Bool {
        // Another record may stand for the one that was edited.
        let (ids, end) = ([act.entityId, effect.landed], effect.actsBefore)
        let isWithdrawn = withdrawals.contains {
            $0.device == act.device && ids.contains($0.entityId) && $0.path == path && $0.actsBefore > index
                && $0.actsBefore <= end
        }
        return isWithdrawn
            || acts[..<min(end, acts.count)].dropFirst(index + 1).contains {
                $0.device == act.device && ids.contains($0.entityId) && $0.fields?.names(path) == true
            }
    }

    /// Whether the server had a value at a place before it did something.
    func wasThere(_ value: JSONValue, _ path: FieldPath, _ id: String, before sequence: Int) -> Bool {
        (server.feed.versions[id] ?? []).contains { version in
            guard version.effect < sequence, let fields = version.fields else { return false }
            return fields[path] == value
        }
    }
}
