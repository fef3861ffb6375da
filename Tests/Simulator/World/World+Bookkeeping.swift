import TrendyDomain

extension World {
    /// Notes that a deleted record may come back, everywhere: somebody means it to.
    func expectBack(_ id: String) {
        remade.insert(id)
        for index in deletedHere.indices { deletedHere[index][id] = nil }
    }

    /// The records that go when a record goes.
    func dependents(of type: EntityType, _ id: String, on device: SimulatedDevice) throws -> [(EntityType, String)] {
        guard type == .eventType else { return [] }
        let store = try device.reader()
        let condition = FieldCondition("event_type_id", equals: id)
        return try store.fetch(Event.self, where: condition).map { (.event, $0.id) }
            + store.fetch(PropertyDefinition.self, where: condition).map { (.propertyDefinition, $0.id) }
    }

    /// Takes up what was committed by a process that died before it could say so.
    func noteUnannounced(on device: SimulatedDevice) throws {
        let fresh = try device.reader().fetchMutations(MutationQuery(afterId: newestMutation(of: device)))
        var changes: [(EntityType, String, Act.Change)] = []
        for mutation in fresh {
            switch mutation.operation {
            case .create:
                guard let payload = mutation.payload else { continue }
                let fields = try WireCoding.decode([String: JSONValue].self, from: payload)
                changes.append((mutation.entityType, mutation.entityId, .create(fields)))
            case .update:
                guard let fields = try patch(of: mutation, on: device) else { continue }
                changes.append((mutation.entityType, mutation.entityId, .update(fields)))
            case .delete:
                deletedHere[device.index][mutation.entityId] = mutation.entityType
                changes.append((mutation.entityType, mutation.entityId, .delete))
            }
        }
        try note(changes, on: device)
    }

    /// What an update changed; where it went into another mutation, all that this one changes.
    private func patch(of mutation: PendingMutation, on device: SimulatedDevice) throws -> [String: JSONValue]? {
        var mutation = mutation
        if case .merged(let into?) = mutation.state, let other = try device.reader().findMutation(id: into) {
            mutation = other
        }
        guard let payload = mutation.payload else { return nil }
        var fields = try WireCoding.decode([String: JSONValue].self, from: payload)
        // A create leaves out what is empty.
        if mutation.operation == .create, let type = device.schema.type(for: mutation.entityType) {
            for field in type.fields where fields[field] == nil { fields[field] = .null }
        }
        fields["id"] = nil
        return fields
    }
}
