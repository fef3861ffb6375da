import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendySync
import TrendyTerminal

/// A change that applies to many events; the fields are read once.
@MainActor
struct EventChange {
    /// The fields to remove.
    struct Clearing {
        var note = false
        var end = false
        var place = false
        var location = false
        var properties: [String] = []

        var isEmpty: Bool { !note && !end && !place && !location && properties.isEmpty }
    }

    var type: EventType?
    var allDay: Bool?
    let texts: EventInput
    let clearing: Clearing
    /// The properties that get a unit.
    private(set) var units: [AdoptedUnit] = []
    /// An event of each type with the new fields, by the id of the type.
    private var models: [String: Event] = [:]
    /// The properties of each type, by its id.
    private var definitions: [String: [PropertyDefinition]] = [:]
    private let zone: LocalZone

    /// - Throws: ``CommandFailure`` if a field does not fit one of the types.
    init(
        _ events: ChosenEvents, type: EventType?, allDay: Bool?, _ texts: EventInput, _ clearing: Clearing
    ) async throws {
        self.type = type
        self.allDay = allDay
        self.texts = texts
        self.clearing = clearing
        let context = events.context
        zone = context.process.zone
        var ids = Array(events.counts.keys)
        if let type { ids.append(type.id) }
        for id in ids {
            definitions[id] = try context.lookup.properties(of: id).map(\.entity)
        }
        for id in type.map({ [$0.id] }) ?? Array(events.counts.keys) {
            // A sync can bring events before their type: such a type has no properties.
            let found =
                try context.reader.find(EventType.self, id: id)?.entity ?? EventType(id: id, name: ShortId.of(id))
            var model = Event(id: id, eventTypeId: id, timestamp: context.now)
            for unit in try texts.apply(to: &model, of: found, in: context) where !units.contains(unit) {
                units.append(unit)
            }
            models[id] = model
        }
        try await requireFitting(events)
    }

    /// Refuses a new type without the properties of the events, and the removal of an unknown property.
    private func requireFitting(_ events: ChosenEvents) async throws {
        let keys = Set(events.counts.keys.flatMap { (definitions[$0] ?? []).map(\.key) })
        for key in clearing.properties where !keys.contains(where: { Names.areSame($0, key) }) {
            let near = Suggestion.nearest(to: key, among: Array(keys)).map { "; did you mean '\($0)'?" } ?? ""
            throw CommandFailure.data("no type of these events has a property '\(key)'\(near)")
        }
        guard let type else { return }
        let known = Set(((definitions[type.id] ?? []).map(\.key) + clearing.properties).map { NameKey($0) })
        var strange: [String] = []
        for key in keys.sorted() where !known.contains(NameKey(key)) {
            let having = events.filter.and(.property(key: key, .isPresent))
            if try await events.context.root.repository.count(matching: having) > 0 { strange.append(key) }
        }
        if strange.isEmpty { return }
        let list = strange.map { "'\($0)'" }.joined(separator: ", ")
        let advice = strange.map { "--clear-prop \(quoted($0))" }.joined(separator: " ")
        throw CommandFailure.data(
            "the type '\(type.name)' has no property \(list); remove it from the events with \(advice)")
    }

    /// The changed event.
    func applied(to event: Event) -> Event {
        var after = event
        if let type { after.eventTypeId = type.id }
        setAllDay(in: &after)
        if clearing.note { after.notes = nil }
        if clearing.end { after.endDate = nil }
        if clearing.place { after.geofenceId = nil }
        if clearing.location { (after.locationName, after.locationLatitude, after.locationLongitude) = (nil, nil, nil) }
        for key in clearing.properties {
            after.properties.set(nil, of: key, among: definitions[event.eventTypeId] ?? [])
        }
        guard let model = models[after.eventTypeId] else { return after }
        if texts.note != nil { after.notes = model.notes }
        if texts.place != nil { after.geofenceId = model.geofenceId }
        if texts.location != nil { after.locationName = model.locationName }
        if texts.latitude != nil {
            (after.locationLatitude, after.locationLongitude) = (model.locationLatitude, model.locationLongitude)
        }
        for (key, value) in model.properties {
            after.properties.set(value, of: key, among: definitions[after.eventTypeId] ?? [])
        }
        return after
    }

    private func setAllDay(in event: inout Event) {
        guard let allDay, allDay != event.isAllDay else { return }
        let start = { [zone] (moment: Timestamp) in
            zone.start(of: allDay ? zone.day(of: moment) : zone.day(ofAllDay: moment))
        }
        event.timestamp = start(event.timestamp)
        event.endDate = event.endDate.map(start)
        event.isAllDay = allDay
    }
}

/// An additional event of another type for each of some events: at the same time and place, with the same note and the
/// properties that both types have.
@MainActor
struct AdditionalType {
    let type: EventType
    private let definitions: [PropertyDefinition]
    private let context: CommandContext

    init(_ type: EventType, in context: CommandContext) throws {
        self.type = type
        self.context = context
        definitions = try context.lookup.properties(of: type.id).map(\.entity)
    }

    /// Whether an event of the type exists at a moment.
    func isThere(at moment: Timestamp) throws -> Bool {
        let interval = EventInterval(since: moment, until: moment.advanced(byMilliseconds: 1))
        let there = EventFilter().and(.type(in: [type.id])).and(.began(interval))
        return try context.root.repository.span(of: .all, matching: there) != nil
    }

    /// The additional event for another one.
    func copy(of event: Event) -> Event {
        var copy = Event(
            id: context.makeId(), eventTypeId: type.id, timestamp: event.timestamp, notes: event.notes,
            isAllDay: event.isAllDay, endDate: event.endDate, geofenceId: event.geofenceId,
            locationLatitude: event.locationLatitude, locationLongitude: event.locationLongitude,
            locationName: event.locationName)
        for definition in definitions {
            if let value = event.properties[property: definition.key], value.type == definition.propertyType {
                copy.properties[definition.key] = value
            } else if let value = definition.defaultValue, value != .null {
                copy.properties[definition.key] = PropertyValue(type: definition.propertyType, value: value)
            }
        }
        return copy
    }
}
