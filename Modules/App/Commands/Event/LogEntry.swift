import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// An event that is to be logged, and what must be there when it is.
struct LogEntry: Sendable {
    var event: Event
    let type: EventType
    /// Whether the type is to be made with the event.
    let isNewType: Bool
    /// The place as it was named.
    let place: String?
    /// The properties that name their units from now on.
    let units: [NamedUnit]
    /// What became of the words without a key.
    let remark: String

    /// Stores the event, with its type where that is new and nobody has made it in the meantime.
    ///
    /// - Returns: Whether the type was made.
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

/// Makes entries of what is written, and knows the types that the earlier ones of them make.
@MainActor
struct LogEntries {
    private var newTypes: [String: EventType] = [:]
    private var units: [String: NamedUnit] = [:]

    mutating func make(_ request: LogRequest, createsTypes: Bool = false, in context: CommandContext) throws -> LogEntry
    {
        let (type, isNew) = try findType(request.type, creates: request.createsType || createsTypes, in: context)
        var event = Event(
            id: context.makeId(), eventTypeId: type.id, timestamp: context.now, isAllDay: request.isAllDay)
        let (texts, remark) = try FreeWords.sorted(request.texts, of: type, or: [.length, .note], in: context)
        let units = try texts.apply(to: &event, of: type, in: context)
        try requireSame(units)
        try texts.applyDefaults(to: &event, of: type, in: context)
        try context.reader.validate(event)
        return LogEntry(
            event: event, type: type, isNewType: isNew, place: texts.place, units: units, remark: remark)
    }

    /// Refuses lines that write a property in different units before it names one.
    private mutating func requireSame(_ units: [NamedUnit]) throws {
        for unit in units {
            if let earlier = self.units[unit.before.id], earlier.unit != unit.unit {
                throw CommandFailure.data(
                    "'\(unit.before.key)' is written in \(QuantityUnit.name(earlier.unit)) before and in "
                        + "\(QuantityUnit.name(unit.unit)) here; use one unit")
            }
            self.units[unit.before.id] = unit
        }
    }

    /// The type that the text names, or a new one that is not stored yet.
    mutating func findType(
        _ text: String, creates: Bool, in context: CommandContext
    ) throws -> (type: EventType, isNew: Bool) {
        do {
            // Who would make a type means its whole name.
            return (try context.lookup.type(text, inFull: creates).entity, false)
        } catch let unknown as UnknownType {
            if let made = newTypes[Names.folded(text)] { return (made, true) }
            guard creates else { throw unknown.offeringToMakeIt }
            let name = try Names.checkedType(text, example: "'trendy log coffee --create-type'")
            let color = try context.newColor(beside: newTypes.values)
            let type = EventType(id: context.makeId(), name: name, color: color)
            try type.validate()
            newTypes[Names.folded(name)] = type
            return (type, true)
        }
    }
}
