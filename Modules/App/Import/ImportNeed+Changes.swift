import TrendyDomain
import TrendySync

extension ImportNeed {
    /// Records of a catalogue that are here already, with the values that they are to get.
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

        /// What somebody has deleted since it was looked at stays so.
        private static func update<Entity: SyncEntity>(_ entity: Entity, in writes: LocalWrites) throws {
            if try writes.find(Entity.self, id: entity.id) != nil { try writes.update(entity) }
        }
    }
}
