import TrendyDomain

/// What people meant: their acts in the order in which the server took them, applied to plain dictionaries.
///
/// It shares nothing with the engine, and knows nothing of queues, merging or feeds.
struct Model {
    private var records: [EntityType: [String: [String: JSONValue]]] = [:]
    /// Records that stand for others, which were made elsewhere before.
    private var standIns: [String: String] = [:]

    init(_ world: World) throws {
        var taken: [(sequence: Int, id: String, act: Act)] = []
        for act in world.acts {
            switch try world.outcome(of: act) {
            case .effective(let sequence, let id):
                if case .create = act.change, id != act.entityId { standIns[act.entityId] = id }
                taken.append((sequence, id, act))
            case .standsFor(let id): standIns[act.entityId] = id
            case .none: break
            }
        }
        // The sort is stable in effect: acts that went out together keep the order in which they were done.
        for (_, item) in taken.enumerated().sorted(by: { ($0.1.sequence, $0.0) < ($1.1.sequence, $1.0) }) {
            apply(item.act)
        }
    }

    func records<Entity: SyncEntity>(_ type: Entity.Type) throws -> [String: Entity] {
        try (records[Entity.entityType] ?? [:]).mapValues { fields in
            try WireCoding.decode(Entity.self, from: WireCoding.encode(fields))
        }
    }

    private func resolved(_ id: String) -> String { standIns[id] ?? id }

    private mutating func apply(_ act: Act) {
        let (type, id) = (act.entityType, resolved(act.entityId))
        switch act.change {
        case .create(var fields):
            fields["id"] = .string(id)
            let made = withReferences(fields)
            records[type, default: [:]][id] = made
        case .update(let changes):
            guard var fields = records[type]?[id] else { return }
            for (field, value) in changes { fields[field] = value == .null ? nil : value }
            let changed = withReferences(fields)
            records[type]?[id] = changed
        case .delete:
            records[type]?[id] = nil
            forget(type, id)
        }
    }

    /// The fields, with the ids that records go by now, and without references to what is gone.
    private func withReferences(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var fields = fields
        if let type = fields["event_type_id"]?.stringValue { fields["event_type_id"] = .string(resolved(type)) }
        if let place = fields["geofence_id"]?.stringValue, records[.geofence]?[place] == nil {
            fields["geofence_id"] = nil
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
