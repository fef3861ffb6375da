import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Somebody who uses one process of one device.
struct Person {
    let world: World
    let device: SimulatedDevice
    let process: DeviceProcess

    var engine: SyncEngine { process.engine }

    /// A text that occurs nowhere else in the history, so that it can be followed everywhere.
    func token(_ dice: inout Dice) -> String { "t\(String(dice.next() & 0xFFFF_FFFF, radix: 36))" }

    func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Entity] {
        try device.reader().fetch(type, where: nil).map(\.entity)
    }

    // MARK: Making

    func create<Entity: SyncEntity>(_ entity: Entity) throws {
        let engine = engine
        _ = try world.executor.run { try await engine.create(entity) }
        try world.note([(Entity.entityType, entity.id, .create(try WireCoding.fields(of: entity)))], on: device)
    }

    func makeType(_ dice: inout Dice) throws {
        let word = dice.pick(Spelling.words + ["swim \(token(&dice))"]) ?? "run"
        if try all(EventType.self).contains(where: { Spelling.meaning(of: $0.name) == word }) { return }
        let name = Spelling.words.contains(word) ? Spelling.name(word, on: device.index) : word
        try create(EventType(id: device.identifiers.makeId(), name: name))
    }

    func newEvent(_ dice: inout Dice) throws -> Event? {
        guard let type = dice.pick(try all(EventType.self)) else {
            try makeType(&dice)
            return nil
        }
        var event = Event(
            id: device.identifiers.makeId(), eventTypeId: type.id, timestamp: device.clock.now(),
            notes: dice.chance(0.8) ? token(&dice) : nil)
        if dice.chance(0.15) { event.timestamp = ManualMoments.shared }
        if dice.chance(0.2) { event.geofenceId = dice.pick(try all(Geofence.self))?.id }
        return event
    }

    func log(_ dice: inout Dice) throws {
        if let event = try newEvent(&dice) { try create(event) }
    }

    /// An event that the server refuses, because it names a place that is nowhere.
    func logRefused(_ dice: inout Dice) throws {
        guard var event = try newEvent(&dice) else { return }
        event.geofenceId = device.identifiers.makeId()
        try create(event)
    }

    /// An event on which the server fails.
    func logCursed(_ dice: inout Dice) throws {
        guard var event = try newEvent(&dice) else { return }
        event.notes = "cursed \(token(&dice))"
        try create(event)
    }

    /// A sample that other devices log as well, each under an id of its own.
    func logFromHealth(_ dice: inout Dice) throws {
        guard var event = try newEvent(&dice) else { return }
        event.sourceType = .healthKit
        event.healthKitSampleId = "sample \(dice.below(6))"
        if try all(Event.self).contains(where: { $0.healthKitSampleId == event.healthKitSampleId }) { return }
        try create(event)
    }

    func importMany(_ dice: inout Dice) throws {
        var events: [Event] = []
        for _ in 0..<dice.within(4...14) {
            if let event = try newEvent(&dice) { events.append(event) }
        }
        let (engine, imported) = (engine, events)
        _ = try world.executor.run { try await engine.create(contentsOf: imported) }
        try world.note(
            try events.map { (.event, $0.id, .create(try WireCoding.fields(of: $0))) }, on: device)
    }

    func newPlace(_ dice: inout Dice) -> Geofence {
        Geofence(
            id: device.identifiers.makeId(), name: "place \(token(&dice))", latitude: 52.5, longitude: 13.4,
            radius: 100)
    }

    func makeProperty(_ dice: inout Dice) throws {
        guard let type = dice.pick(try all(EventType.self)) else { return }
        let key = dice.pick(["size", "mood", "km"]) ?? "size"
        let isTaken = try all(PropertyDefinition.self).contains { $0.eventTypeId == type.id && $0.key == key }
        if isTaken { return }
        try create(
            PropertyDefinition(
                id: device.identifiers.makeId(), eventTypeId: type.id, key: key, label: token(&dice),
                propertyType: .text))
    }

    func writeMemo(_ dice: inout Dice) throws {
        guard device.knowsMemos else { return }
        if dice.chance(0.5), let memo = dice.pick(try all(Memo.self)) {
            return try edit(memo) { $0.text = token(&dice) }
        }
        try create(Memo(id: device.identifiers.makeId(), text: token(&dice)))
    }

    // MARK: Changing

    func edit<Entity: SyncEntity>(_ entity: Entity, _ change: (inout Entity) -> Void) throws {
        var edited = entity
        change(&edited)
        let change = try WireCoding.fields(of: edited).change(from: WireCoding.fields(of: entity))
        if change.isEmpty { return }
        let (engine, new) = (engine, edited)
        _ = try world.executor.run { try await engine.update(new) }
        try world.note([(Entity.entityType, entity.id, .update(change))], on: device)
    }

    /// An event to change: often one of the oldest, which most devices know, so that changes meet.
    private func someEvent(_ dice: inout Dice) throws -> Event? {
        let events = try all(Event.self)
        return dice.pick(dice.chance(0.35) ? Array(events.prefix(2)) : events)
    }

    func editEvent(_ dice: inout Dice) throws {
        guard let event = try someEvent(&dice) else { return }
        let text = token(&dice)
        let (places, types) = (try all(Geofence.self), try all(EventType.self))
        let choice = dice.below(11)
        let coordinates = dice.chance(0.5) ? (Double(dice.below(90)), Double(dice.below(180))) : nil
        let key = dice.pick(["size", "mood", "km"]) ?? "mood"
        let (place, type) = (dice.pick(places), dice.pick(types))
        try edit(event) { event in
            switch choice {
            case 0, 1, 2: event.notes = text
            case 3: event.notes = nil
            case 4: event.locationName = text
            case 5: event.locationName = nil
            case 6: event.geofenceId = place?.id
            case 7: event.properties[key] = .text(text)
            case 8: (event.locationLatitude, event.locationLongitude) = (coordinates?.0, coordinates?.1)
            case 9: event.properties[key] = event.properties[key] == nil ? .text(text) : nil
            default: if let type { event.eventTypeId = type.id }
            }
        }
    }

    func editType(_ dice: inout Dice) throws {
        guard let type = dice.pick(try all(EventType.self)) else { return }
        let text = token(&dice)
        let choice = dice.below(4)
        try edit(type) { type in
            switch choice {
            case 0: type.name = Spelling.name("tea", on: device.index)
            case 1: type.name = "name \(text)"
            default: type.icon = text
            }
        }
    }

    /// Gives a type a name that another may have, or one that nobody has.
    func renameType(_ dice: inout Dice) throws {
        guard let type = dice.pick(try all(EventType.self)), let word = dice.pick(Spelling.words) else { return }
        let name = dice.chance(0.6) ? Spelling.name(word, on: device.index) : "name \(token(&dice))"
        try edit(type) { $0.name = name }
    }

    func editPlace(_ dice: inout Dice) throws {
        guard let place = dice.pick(try all(Geofence.self)) else { return }
        let text = token(&dice)
        let radius = Double(dice.within(50...500))
        let isRenamed = dice.chance(0.6)
        try edit(place) { place in
            if isRenamed { place.name = text } else { place.radius = radius }
        }
    }

    func editProperty(_ dice: inout Dice) throws {
        guard let property = dice.pick(try all(PropertyDefinition.self)) else { return }
        let text = token(&dice)
        let choice = dice.below(4)
        try edit(property) { property in
            switch choice {
            case 0: property.defaultValue = .string(text)
            case 1: property.defaultValue = nil
            default: property.label = text
            }
        }
    }

    // MARK: Deleting

    func delete<Entity: SyncEntity>(_ type: Entity.Type, _ dice: inout Dice) throws {
        guard let entity = dice.pick(try all(type)) else { return }
        if let type = entity as? EventType { try keepForLater(type) }
        let (engine, id) = (engine, entity.id)
        try world.executor.run { try await engine.delete(type, id: id) }
        world.deletedHere[device.index][entity.id] = Entity.entityType
        try world.note([(Entity.entityType, entity.id, .delete)], on: device)
    }

    // MARK: Mending

    func clearQueue() throws {
        let engine = engine
        world.clearers.insert(device.index)
        _ = try world.executor.run { try await engine.clearPendingMutations() }
    }

    func retryParked(_ dice: inout Dice) throws {
        let parked = try device.reader().fetchMutations(MutationQuery(states: [.parked]))
        guard let mutation = dice.pick(parked) else { return }
        if case .parked(let reason) = mutation.state, reason.code == .deletedElsewhere {
            world.expectBack(mutation.entityId)
        }
        world.retried[device.index, default: []].insert(mutation.entityId)
        let engine = engine
        try world.executor.run { try await engine.retryMutation(id: mutation.id) }
        try world.note(on: device)
    }

    func resetBreaker() throws {
        let engine = engine
        do {
            try world.executor.run { try await engine.resetCircuitBreaker() }
        } catch let death as StoreError where death == MortalStores.dead {
            // A process may die of the commit itself.
            let key = MetadataKey.breaker(of: world.environment.address.description)
            if try device.reader().metadata(key) == nil { forgetPause() }
            throw death
        }
        forgetPause()
    }

    private func forgetPause() {
        world.check { ($0 as? PoliteChecker)?.forget(device.index) }
    }

    func skipFeed() throws {
        world.skippers.insert(device.index)
        let engine = engine
        _ = world.executor.start { try await engine.skipToLatestCursor() }
        world.settle()
    }
}

/// Moments that several people log by chance.
enum ManualMoments {
    static let shared = Timestamp(milliseconds: 1_767_200_000_000)
}
