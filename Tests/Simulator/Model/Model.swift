import TrendyDomain

/// What people meant: their acts in the order in which the server took them, applied to plain dictionaries.
///
/// It shares nothing with the engine, and knows nothing of queues, merging or feeds.
struct Model {
    private var records: [EntityType: [String: [String: JSONValue]]] = [:]
    /// The records that ids have come to stand for, because they were made elsewhere before.
    private var standIns: [String: [StandIn]] = [:]
    /// The creations that a device has asked for, by the ids of their records.
    private var creations: [String: [Act]] = [:]
    private let droppers: Set<Int>

    init(_ world: World) throws {
        droppers = world.droppers
        var taken: [(sequence: Int, id: String, act: Act)] = []
        for (index, act) in world.acts.enumerated() {
            if case .create = act.change { creations[act.entityId, default: []].append(act) }
            switch try world.outcome(of: act) {
            case .effective(let sequence, let id):
                if case .create = act.change {
                    if id != act.entityId { standIn(id, for: act) }
                    if let later = try world.survivor(of: act) { standIn(later, for: act) }
                }
                let carried = try world.withoutUnbornParent(act, index, at: sequence)
                let placed = world.withoutLostPlace(carried, index, at: sequence)
                taken.append((sequence, id, world.withoutLostFields(placed, on: id, at: sequence)))
            case .standsFor(let id):
                // An edit that was merged into a creation says nothing of what its record was before.
                if case .create = act.change { standIn(id, for: act) }
            case .none: break
            }
        }
        // The sort is stable in effect: acts that went out together keep the order in which they were done.
        for (_, item) in taken.enumerated().sorted(by: { ($0.1.sequence, $0.0) < ($1.1.sequence, $1.0) }) {
            apply(item.act, to: item.id)
        }
    }

    func records<Entity: SyncEntity>(_ type: Entity.Type) throws -> [String: Entity] {
        try (records[Entity.entityType] ?? [:]).mapValues { fields in
            try WireCoding.decode(Entity.self, from: WireCoding.encode(fields))
        }
    }

    private mutating func standIn(_ id: String, for creation: Act) {
        standIns[creation.entityId, default: []].append(StandIn(id: id, creation: creation))
    }

    /// The record that an id means at this moment: what stands for another now may have been a record of its own. One
    /// that was deleted and made anew can have come to stand for two, one after the other: who made it meant the last.
    private func resolved(_ type: EntityType, _ id: String, by act: Act) -> String {
        // Somebody else may have made a record of that id since.
        if let own = ownStandIn(for: id, by: act), records[type]?[own] != nil { return own }
        var names = [id]
        var next = 0
        while next < names.count {
            if records[type]?[names[next]] != nil { return names[next] }
            let others = standIns[names[next], default: []]
            let meant = others.filter { $0.creation.device == act.device && $0.creation.mutationId < act.mutationId }
            names += (meant.reversed() + others).map(\.id).filter { !names.contains($0) }
            next += 1
        }
        return id
    }

    /// What the last creation of a record by the device of an act, before that act, turned out to be.
    private func ownStandIn(for id: String, by act: Act) -> String? {
        let last = creations[id]?.last { $0.device == act.device && $0.mutationId < act.mutationId }
        return standIns[id]?.last { $0.creation.device == act.device && $0.creation.mutationId == last?.mutationId }?.id
    }

    /// - Parameter id: The record on which the server carried the act out.
    private mutating func apply(_ act: Act, to id: String) {
        let type = act.entityType
        switch act.change {
        case .create(var fields):
            fields["id"] = .string(id)
            let made = withReferences(fields, by: act)
            records[type, default: [:]][id] = made
        case .update(let changes):
            guard var fields = records[type]?[id] else { return }
            for (field, value) in changes where !isGivenUp(field, value, by: act) {
                fields[field] = value == .null ? nil : value
            }
            let changed = withReferences(fields, by: act)
            records[type]?[id] = changed
        case .delete:
            records[type]?[id] = nil
            forget(type, id)
        }
    }

    /// Whether an edit cannot have carried a value: who gives up a type here takes the events back out that were moved
    /// there, and the server takes no event of a type that is gone.
    private func isGivenUp(_ field: String, _ value: JSONValue, by act: Act) -> Bool {
        guard field == "event_type_id", let type = value.stringValue, droppers.contains(act.device) else {
            return false
        }
        return records[.eventType]?[resolved(.eventType, type, by: act)] == nil
    }

    /// The fields, with the ids that records go by now, and without references to what is gone.
    private func withReferences(_ fields: [String: JSONValue], by act: Act) -> [String: JSONValue] {
        var fields = fields
        if let type = fields["event_type_id"]?.stringValue {
            fields["event_type_id"] = .string(resolved(.eventType, type, by: act))
        }
        if let place = fields["geofence_id"]?.stringValue {
            let present = resolved(.geofence, place, by: act)
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
