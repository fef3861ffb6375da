import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The fields of an event as a person typed them.
struct EventInput: Equatable {
    var at: String?
    var until: String?
    /// The duration.
    var length: String?
    var note: String?
    /// Whether the person writes the note in an editor.
    var usesEditor = false
    /// As KEY=VALUE.
    var properties: [String] = []
    /// Words with or without a key; ``UnkeyedWords`` assigns them to fields.
    var words: [String] = []
    var place: String?
    var location: String?
    var latitude: Double?
    var longitude: Double?
    /// Whether times in the future are allowed.
    var allowsFuture = false
    /// The option that the end was given with.
    var endOption = "--until"

    var isEmpty: Bool {
        at == nil && until == nil && length == nil && note == nil && !usesEditor && properties.isEmpty && words.isEmpty
            && place == nil
            && location == nil
            && latitude == nil && longitude == nil
    }

    /// Sets the given fields of an event. Times of all-day events are moved to the starts of their days.
    ///
    /// - Parameter before: The stored event; nil for a new one.
    /// - Returns: The properties that got a unit, to be stored with the event.
    @MainActor
    func apply(
        to event: inout Event, before: Event? = nil, of type: EventType, in context: CommandContext
    ) throws -> [AdoptedUnit] {
        let zone = context.process.zone
        let wasAllDay = before?.isAllDay ?? false
        // Unless its days change, an all-day event keeps the midnights of the time zone in which it was logged.
        if wasAllDay, !event.isAllDay || at != nil || until != nil {
            event.timestamp = zone.start(of: zone.day(ofAllDay: event.timestamp))
            event.endDate = event.endDate.map { zone.start(of: zone.day(ofAllDay: $0)) }
        }
        if let at { event.timestamp = try start(at, of: before == nil ? nil : event, in: context) }
        if let until { event.endDate = try end(until, of: event, isStored: before != nil, in: context) }
        if let length { try apply(length, to: &event, isStored: before != nil, in: context) }
        if event.isAllDay, !wasAllDay || at != nil || until != nil {
            event.timestamp = zone.start(of: zone.day(of: event.timestamp))
            event.endDate = event.endDate.map { zone.start(of: zone.day(of: $0)) }
        }
        if let end = event.endDate, end < event.timestamp {
            // 'stop' has only one time, --at.
            let options = endOption == "--at" ? endOption : "--at and \(endOption)"
            throw CommandFailure.data(
                "the end (\(zone.minuteText(end))) is before the start (\(zone.minuteText(event.timestamp))); "
                    + "check \(options)")
        }
        if let note { event.notes = note }
        if let place { event.geofenceId = try context.lookup.place(place).id }
        if let location { event.locationName = location }
        try applyDegrees(to: &event)
        return try applyProperties(to: &event, of: type, in: context)
    }

    /// Sets the duration: from the given start, or up to the end, which is now by default.
    @MainActor
    private func apply(_ length: String, to event: inout Event, isStored: Bool, in context: CommandContext) throws {
        if until != nil, at != nil || isStored {
            throw CommandFailure.usage("--for and \(endOption) both set the end; give one of them")
        }
        if event.isAllDay {
            throw CommandFailure.usage("--for cannot be used with --all-day; give the days with --at and --until")
        }
        let pointed = context.properties.decimal.withPoint(length)
        guard NumberText.parse(pointed) == nil, let seconds = DurationText.parse(pointed), seconds < 4e9 else {
            throw CommandFailure.data(
                "'\(length)' is not a duration for --for; write it like 30m, 1h30m or '2 hours'")
        }
        if at == nil, !isStored { event.timestamp = (event.endDate ?? context.now).advanced(bySeconds: -seconds) }
        let end = event.timestamp.advanced(bySeconds: seconds)
        event.endDate = end
        guard allowsFuture || end <= context.now.advanced(bySeconds: 60) else {
            throw CommandFailure.data(
                "the end is in the future (\(context.process.zone.minuteText(end))); check --for, or add --future")
        }
    }

    private func applyDegrees(to event: inout Event) throws {
        if let latitude {
            try Degrees.requireNorth(latitude)
            event.locationLatitude = latitude
        }
        if let longitude {
            try Degrees.requireEast(longitude)
            event.locationLongitude = longitude
        }
        guard latitude != nil || longitude != nil else { return }
        if (event.locationLatitude == nil) != (event.locationLongitude == nil) {
            let (given, missing) = latitude == nil ? ("--lon", "--lat") : ("--lat", "--lon")
            throw CommandFailure.data("\(given) needs \(missing), too; add it")
        }
    }

    /// Reads the start. A time of day without a date means the day of the stored event.
    ///
    /// - Parameter event: The stored event; nil for a new one.
    @MainActor
    private func start(_ text: String, of event: Event?, in context: CommandContext) throws -> Timestamp {
        guard let event, ClockTime.isAlone(in: text) else { return try moment(text, option: "--at", in: context) }
        let day = context.process.zone.civil(event.timestamp).dayText
        return try moment(text, on: day, option: "--at", in: context)
    }

    /// Reads the end. If the start is known, a time of day is the first one after it, and `+45m` counts from it.
    @MainActor
    private func end(_ text: String, of event: Event, isStored: Bool, in context: CommandContext) throws -> Timestamp {
        guard at != nil || isStored, text.hasPrefix("+") || ClockTime.isAlone(in: text) else {
            return try moment(text, option: endOption, in: context)
        }
        let zone = context.process.zone
        let times = WhenParser(now: event.timestamp, zone: zone)
        let end = try times.parse(times.dated(text, from: event.timestamp))
        let isNextDay = ClockTime.isAlone(in: text) && zone.day(of: end) != zone.day(of: event.timestamp)
        let start = zone.minuteText(event.timestamp)
        let remark = isNextDay ? ": '\(text)' is before the start (\(start)) and counts as the next day" : ""
        if allowsFuture || end <= context.now.advanced(bySeconds: 60) { return end }
        throw CommandFailure.data(
            "the end is in the future (\(zone.minuteText(end)))\(remark); check \(endOption), or add --future")
    }

    /// Reads a time that must not be in the future without `--future`.
    ///
    /// - Parameter day: The day of a time of day; nil for today.
    @MainActor
    private func moment(
        _ text: String, on day: String? = nil, option: String, in context: CommandContext
    ) throws -> Timestamp {
        let isEnd = option == "--until"
        let dated = day.map { "\($0) \(text)" } ?? text
        let moment = try context.times.parse(dated, lengthsAfter: isEnd ? "the start" : "now")
        // The clocks of devices differ a little.
        if allowsFuture || moment <= context.now.advanced(bySeconds: 60) { return moment }
        let yesterday = "yesterday \(text)"
        let before = context.times.moment(yesterday).map { $0 <= context.now } ?? false
        // Yesterday would be wrong for an end: the start may be today.
        let advice = isEnd ? "check \(option), or " : ""
        let hint = before && !isEnd ? "write \(option) '\(yesterday)' if you mean that, or " : advice
        throw CommandFailure.data(
            "'\(text)' is in the future (\(context.process.zone.minuteText(moment))); \(hint)add --future")
    }

    @MainActor
    private func applyProperties(
        to event: inout Event, of type: EventType, in context: CommandContext
    ) throws -> [AdoptedUnit] {
        if properties.isEmpty { return [] }
        var units: [AdoptedUnit] = []
        let definitions = try context.lookup.properties(of: type.id).map(\.entity)
        var given: Set<String> = []
        for assignment in properties {
            guard let parts = Assignment(assignment, among: definitions.map(\.key)) else {
                throw CommandFailure.usage("'\(assignment)' is not a property; write KEY=VALUE")
            }
            let definition = try Self.definition(parts.key, of: type, among: definitions, for: parts.value)
            guard given.insert(definition.key).inserted else {
                throw CommandFailure.usage("the property '\(definition.key)' is given twice; give it once")
            }
            let (value, unit) = try context.properties.read(parts.value, as: definition)
            event.properties.set(value, of: definition.key, among: definitions)
            if let unit { units.append(unit) }
        }
        return units
    }

    /// Sets the default values of missing properties in a new event.
    @MainActor
    func applyDefaults(to event: inout Event, of type: EventType, in context: CommandContext) throws {
        let definitions = try context.lookup.properties(of: type.id).map(\.entity)
        for definition in definitions {
            guard event.properties.spellings(of: definition.key, among: definitions).isEmpty,
                let value = definition.defaultValue, value != .null
            else { continue }
            event.properties[definition.key] = PropertyValue(type: definition.propertyType, value: value)
        }
    }

    /// The definition of a key, as it is spelt or else by its ``NameKey``.
    ///
    /// - Parameter value: The value, for the error if there is no such key.
    static func definition(
        _ key: String, of type: EventType, among definitions: [PropertyDefinition], for value: String
    ) throws -> PropertyDefinition {
        if let definition = definitions.named(key) { return definition }
        throw CommandFailure.data(
            RecordLookup.unknownProperty(key, of: type, among: definitions.map(\.key), for: value))
    }
}
