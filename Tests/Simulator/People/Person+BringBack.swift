import TrendyDomain
import TrendySync

/// A type and what belongs to it on a device.
struct TypeWithChildren {
    var type: EventType
    var properties: [PropertyDefinition]
    var events: [Event]

    var ids: [String] { [type.id] + properties.map(\.id) + events.map(\.id) }
}

/// Taking back that a type was deleted, in one write and under the same ids.
extension Person {
    /// Remembers a type that is about to be deleted.
    func keepForLater(_ type: EventType) throws {
        let doomed = TypeWithChildren(
            type: type, properties: try all(PropertyDefinition.self).filter { $0.eventTypeId == type.id },
            events: try all(Event.self).filter { $0.eventTypeId == type.id })
        world.takenOut[device.index].append(doomed)
    }

    func bringBack(_ dice: inout Dice) throws {
        guard let lost = world.takenOut[device.index].popLast(), try isGone(lost) else { return }
        for id in lost.ids { world.expectBack(id) }
        let places = Set(try all(Geofence.self).map(\.id))
        var whole = lost
        for index in whole.events.indices {
            guard let place = whole.events[index].geofenceId, !places.contains(place) else { continue }
            whole.events[index].geofenceId = nil
        }
        let (engine, again) = (engine, whole)
        try world.executor.run {
            try await engine.perform { writes in
                try writes.create(again.type)
                for property in again.properties { try writes.create(property) }
                for event in again.events { try writes.create(event) }
            }
        }
        try world.note(try again.makings, on: device)
    }

    /// Whether none of it is here, and nobody has taken the name.
    private func isGone(_ lost: TypeWithChildren) throws -> Bool {
        let ids = Set(lost.ids)
        let here = try all(EventType.self)
        if here.contains(where: { $0.name == lost.type.name }) { return false }
        let present = try here.map(\.id) + all(PropertyDefinition.self).map(\.id) + all(Event.self).map(\.id)
        return ids.isDisjoint(with: present)
    }
}

extension TypeWithChildren {
    fileprivate var makings: [(EntityType, String, Act.Change)] {
        get throws {
            let first = (EntityType.eventType, type.id, Act.Change.create(try WireCoding.fields(of: type)))
            let properties = try properties.map { property in
                (EntityType.propertyDefinition, property.id, Act.Change.create(try WireCoding.fields(of: property)))
            }
            let events = try events.map { event in
                (EntityType.event, event.id, Act.Change.create(try WireCoding.fields(of: event)))
            }
            return [first] + properties + events
        }
    }
}
