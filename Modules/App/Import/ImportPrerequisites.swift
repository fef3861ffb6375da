import TrendyDomain
import TrendyNotation
import TrendySync

/// The records that a transaction of an import needs besides its events.
struct ImportPrerequisites: Sendable {
    /// The types to create.
    var types: [EventType] = []
    /// The property definitions to create.
    var definitions: [PropertyDefinition] = []
    /// Definitions of earlier transactions that have new options.
    var widened: [PropertyDefinition] = []
    /// The places to create.
    var places: [Geofence] = []
    /// The records to update.
    var changed = Changes()
    /// The existing types that are needed, with their names.
    var known: [(id: String, name: String)] = []

    /// Whether nothing has to be created.
    var isEmpty: Bool {
        types.isEmpty && definitions.isEmpty && widened.isEmpty && places.isEmpty && changed.isEmpty
    }

    /// Records that a definition has new options.
    mutating func widen(_ definition: PropertyDefinition) {
        if let place = definitions.firstIndex(where: { $0.id == definition.id }) {
            definitions[place] = definition
        } else {
            widened.removeAll { $0.id == definition.id }
            widened.append(definition)
        }
    }

    /// Removes the records that another need has created. Definitions with new options stay, to be widened.
    mutating func remove(_ other: ImportPrerequisites) {
        let options = Dictionary(other.definitions.map { ($0.id, $0.options) }) { $1 }
        for definition in definitions {
            if let made = options[definition.id], made != definition.options { widened.append(definition) }
        }
        let ids = Set(other.types.map(\.id) + other.definitions.map(\.id) + other.places.map(\.id))
        types.removeAll { ids.contains($0.id) }
        definitions.removeAll { ids.contains($0.id) }
        places.removeAll { ids.contains($0.id) }
        widened.removeAll { other.widened.contains($0) }
        changed.remove(other.changed)
    }

    /// Moves definitions to the types that replace theirs.
    mutating func move(from replaced: [String: EventType]) {
        for place in definitions.indices {
            if let type = replaced[definitions[place].eventTypeId] { definitions[place].eventTypeId = type.id }
        }
    }

    /// Creates the missing records, and checks that the others still exist.
    ///
    /// - Returns: The types that other processes created meanwhile, by the ids of the types that they replace.
    func store(in writes: LocalWrites) throws -> [String: EventType] {
        for type in known { try writes.require(EventType.self, id: type.id, named: type.name) }
        let replaced = try storeTypes(in: writes)
        for place in places {
            var place = place
            place.eventTypeEntryId = place.eventTypeEntryId.map { replaced[$0]?.id ?? $0 }
            place.eventTypeExitId = place.eventTypeExitId.map { replaced[$0]?.id ?? $0 }
            try adopt(place, in: writes)
        }
        for definition in definitions {
            var definition = definition
            if let type = replaced[definition.eventTypeId] { definition.eventTypeId = type.id }
            if try !widen(definition, in: writes) { try adopt(definition, in: writes) }
        }
        for definition in widened { _ = try widen(definition, in: writes) }
        try changed.store(in: writes)
        return replaced
    }

    /// Adds the missing options to the stored definition, which another import may have created.
    ///
    /// - Returns: Whether the definition exists.
    private func widen(_ definition: PropertyDefinition, in writes: LocalWrites) throws -> Bool {
        let ofType = FieldCondition("event_type_id", equals: definition.eventTypeId)
        guard
            var present = try writes.find(PropertyDefinition.self, id: definition.id)
                ?? writes.fetch(PropertyDefinition.self, where: ofType).first(where: {
                    Names.areSame($0.key, definition.key)
                })
        else { return false }
        let options = present.options ?? []
        let missing = (definition.options ?? []).filter { !options.contains($0) }
        guard present.propertyType == .select, !missing.isEmpty else { return true }
        present.options = options + missing
        try writes.update(present)
        return true
    }

    private func storeTypes(in writes: LocalWrites) throws -> [String: EventType] {
        if types.isEmpty { return [:] }
        var replaced: [String: EventType] = [:]
        let present = try writes.fetch(EventType.self)
        for type in types {
            let key = NameKey(type.name)
            if let other = present.first(where: { NameKey($0.name) == key }) {
                replaced[type.id] = other
            } else {
                try adopt(type, in: writes)
            }
        }
        return replaced
    }

    /// Stores a record, unless another import stored it meanwhile.
    private func adopt(_ entity: some SyncEntity, in writes: LocalWrites) throws {
        do { try writes.adopt(entity) } catch SyncEngineError.alreadyExists {}
    }
}

extension ImportPrerequisites {
    /// Existing records, with their new values from the file.
    struct Changes: Sendable {
        var types: [EventType] = []
        var definitions: [PropertyDefinition] = []
        var places: [Geofence] = []

        var isEmpty: Bool { types.isEmpty && definitions.isEmpty && places.isEmpty }

        mutating func remove(_ other: Changes) {
            types.removeAll { other.types.contains($0) }
            definitions.removeAll { other.definitions.contains($0) }
            places.removeAll { other.places.contains($0) }
        }

        func store(in writes: LocalWrites) throws {
            for type in types { try Self.update(type, in: writes) }
            for place in places { try Self.update(place, in: writes) }
            for definition in definitions { try Self.update(definition, in: writes) }
        }

        /// What somebody has deleted since it was checked stays so.
        private static func update<Entity: SyncEntity>(_ entity: Entity, in writes: LocalWrites) throws {
            if try writes.find(Entity.self, id: entity.id) != nil { try writes.update(entity) }
        }
    }
}
