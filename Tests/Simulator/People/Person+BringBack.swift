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
                // Where the deletion still waits, to take it back shows what it has hidden.
                if try writes.find(EventType.self, id: again.type.id) == nil { try writes.adopt(again.type) }
                for property in again.properties where try writes.find(PropertyDefinition.self, id: property.id) == nil
                {
                    try writes.adopt(property)
                }
                for event in again.events where try writes.find(Event.self, id: event.id) == nil {
                    try writes.adopt(event)
                }
            }
        }
        try world.note(on: device)
        let open = Set(try world.view(of: device).open.map(\.entityId))
        if !open.contains(lost.type.id) {
            world.takenBack.append(
                TakenBack(
                    device: device.index, ids: Set(lost.ids).subtracting(open), actsBefore: world.acts.count,
                    serverHadDone: world.server.effects.count))
        }
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
