import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// An event to be logged, with the records that it needs.
struct LogEntry: Sendable {
    var event: Event
    let type: EventType
    /// Whether the type is created with the event.
    let isNewType: Bool
    /// The place, as the person typed it.
    let place: String?
    /// The properties that get a unit.
    let units: [AdoptedUnit]
    /// The fields that the words without a key became.
    let remark: String

    /// Stores the event, with its type if that is new and no other process has created it since.
    ///
    /// - Returns: Whether the type was created.
    func store(in writes: LocalWrites) throws -> Bool {
        var event = event
        var makesType = false
        if isNewType {
            let stored = try type.storeUnlessThere(in: writes)
            event.eventTypeId = stored.id
            makesType = stored.isMade
        } else {
            try writes.require(EventType.self, id: type.id, named: type.name)
        }
        if let place { try writes.require(Geofence.self, id: event.geofenceId, named: place) }
        try writes.store(units)
        try writes.create(event)
        return makesType
    }

    func text(madeType: Bool, zone: LocalZone) -> String {
        "logged \(type.name)\(madeType ? " (new type)" : ""), \(zone.spanText(event)) (\(ShortId.of(event.id)))"
            + remark
            + units.map(\.text).joined()
    }
}

/// Turns requests into entries, and knows the types that earlier entries create.
@MainActor
struct LogEntries {
    private var newTypes: [NameKey: EventType] = [:]
    private var units: [String: AdoptedUnit] = [:]

    mutating func make(_ request: LogRequest, createsTypes: Bool = false, in context: CommandContext) throws -> LogEntry
    {
        let (type, isNew) = try findType(request.type, creates: request.createsType || createsTypes, in: context)
        var event = Event(
            id: context.makeId(), eventTypeId: type.id, timestamp: context.now, isAllDay: request.isAllDay)
        let (texts, remark) = try UnkeyedWords.sorted(request.texts, of: type, or: [.length, .note], in: context)
        let units = try texts.apply(to: &event, of: type, in: context)
        try requireSame(units)
        try texts.applyDefaults(to: &event, of: type, in: context)
        try context.reader.validate(event)
        return LogEntry(
            event: event, type: type, isNewType: isNew, place: texts.place, units: units, remark: remark)
    }

    /// Refuses lines that use different units for a property that has none yet.
    private mutating func requireSame(_ units: [AdoptedUnit]) throws {
        for unit in units {
            if let earlier = self.units[unit.before.id], earlier.unit != unit.unit {
                throw CommandFailure.data(
                    "'\(unit.before.key)' is in \(QuantityUnit.name(unit.unit)) here and in "
                        + "\(QuantityUnit.name(earlier.unit)) in an earlier line; use one unit")
            }
            self.units[unit.before.id] = unit
        }
    }

    /// The type that the text names, or a new type that is not stored yet.
    mutating func findType(
        _ text: String, creates: Bool, in context: CommandContext
    ) throws -> (type: EventType, isNew: Bool) {
        do {
            // With --create-type, the text is the whole name.
            return (try context.lookup.type(text, inFull: creates).entity, false)
        } catch let unknown as UnknownType {
            if let made = newTypes[NameKey(text)] { return (made, true) }
            guard creates else { throw unknown.offeringToMakeIt }
            let name = try Names.checkedType(text, example: "'trendy log coffee --create-type'")
            let color = try context.newColor(beside: newTypes.values)
            let type = EventType(id: context.makeId(), name: name, color: color)
            try type.validate()
            newTypes[NameKey(name)] = type
            return (type, true)
        }
    }
}
