import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct EditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an event, or all that a filter chooses.",
        discussion: """
            Example:
              trendy edit 'run km<1' --add-type walk --yes
            """)

    @Argument(help: "An id, or last: the one logged last; or a filter.")
    var id: String

    @Option(name: .long, help: "The new type: its name or id.")
    var type: String?

    // An event has one type: a further one is a further event.
    @Option(name: .long, help: "Log one of this type, too, at its time.")
    var addType: String?

    @Flag(name: .shortAndLong, help: "Do not ask. Without a terminal, a filter needs it.")
    var yes = false

    @OptionGroup var fields: EventFields

    @Flag(inversion: .prefixedNo, help: "Whether it took the whole day.")
    var allDay: Bool?

    @Flag(name: .long, help: ArgumentHelp("Take the note away.", discussion: "Take it away."))
    var clearNote = false

    @Flag(name: .long, help: ArgumentHelp("Take the end away.", discussion: "Take it away."))
    var clearUntil = false

    @Flag(name: .long, help: ArgumentHelp("Take the place away.", discussion: "Take it away."))
    var clearPlace = false

    @Flag(
        name: .long,
        help: ArgumentHelp("Take coordinates and the name of a location away.", discussion: "Take it away."))
    var clearLocation = false

    @Option(name: .long, help: "Have no property of this key; may be repeated.")
    var clearProp: [String] = []

    @OptionGroup var common: CommonOptions

    private var clearsSomething: Bool {
        clearNote || clearUntil || !clearProp.isEmpty || clearPlace || clearLocation
    }

    func check() throws {
        if type == nil, addType == nil, fields.isEmpty, allDay == nil, !clearsSomething {
            throw CommandFailure.usage(
                "nothing to change: give --at, --until, --note, --clear-note, --type, --prop or the like")
        }
        let given = fields.texts
        let both = [
            ("note", clearNote, given.note != nil), ("until", clearUntil, given.until != nil),
            ("place", clearPlace, given.place != nil),
            ("location", clearLocation, given.location != nil || given.latitude != nil || given.longitude != nil),
        ]
        if let (name, _, _) = both.first(where: { $1 && $2 }) {
            throw CommandFailure.usage("--\(name) and --clear-\(name) exclude each other")
        }
        try requireOneOf(given.properties + given.words, clearProp)
    }

    /// Refuses a property that is set and taken away at once.
    private func requireOneOf(_ assignments: [String], _ cleared: [String]) throws {
        for key in cleared {
            let beginning = key.lowercased() + "="
            guard let assignment = assignments.first(where: { $0.lowercased().hasPrefix(beginning) }) else { continue }
            throw CommandFailure.usage("'\(assignment)' and --clear-prop \(quoted(key)) exclude each other")
        }
    }

    func run(in context: CommandContext) async throws {
        let isOne = try context.namesEvent(id)
        if !isOne || addType != nil {
            let query = isOne ? try context.query(QueryTexts(words: ["id:\(id)"])) : try context.query(events: [id])
            return try await changeChosen(query, isOne: isOne, in: context)
        }
        let before = try context.lookup.event(id).entity
        var after = before
        let type =
            try self.type.map { try context.lookup.type($0).entity } ?? (try currentType(of: before, in: context))
        after.eventTypeId = type.id
        if let allDay { after.isAllDay = allDay }
        try clear(in: &after)
        let (texts, remark) = try FreeWords.sorted(fields.texts, of: type, or: [], in: context)
        let units = try texts.apply(to: &after, before: before, of: type, in: context)
        if type.id != before.eventTypeId { try requireFitting(after, type, in: context) }
        try await NoteDraft.during(texts.usesEditor, before: after.notes, in: context) { note in
            if let note { after.notes = note }
            try await store(after, over: before, of: type, naming: units, in: context)
        }
        let verb = after == before ? "left" : "changed"
        let rest = after == before ? " as it was" : ""
        try context.say(
            "\(verb) \(type.name), \(context.process.zone.spanText(after)) (\(ShortId.of(after.id)))\(rest)"
                + remark + units.map(\.text).joined(),
            event: after.id)
    }

    /// - Parameter isOne: Whether it is one event that was named by its id.
    @MainActor
    private func changeChosen(_ query: EventQuery, isOne: Bool, in context: CommandContext) async throws {
        var given = fields.texts
        // Of many events, each property is named by its key.
        (given.properties, given.words) = (given.properties + given.words, [])
        if given.at != nil || given.until != nil {
            throw CommandFailure.usage(
                "--at and --until are the time of one event; "
                    + (isOne ? "give --add-type by itself" : "name it by its id"))
        }
        var query = query
        let further = try addType.map { try FurtherType(context.lookup.type($0).entity, in: context) }
        if let further {
            // Those beside them are logged meanwhile, and need none themselves.
            query.filter = query.filter.and(.not(.type(in: [further.type.id])))
        }
        let chosen = try await ChosenEvents(query, in: context)
        guard chosen.count > 0 else { return try context.say("no events; nothing was changed", json: ChangedEvents()) }
        let clearing = EventChange.Clearing(
            note: clearNote, end: clearUntil, place: clearPlace, location: clearLocation, properties: clearProp)
        let change = try await EventChange(
            chosen, type: try type.map { try context.lookup.type($0).entity }, allDay: allDay, given, clearing)
        let addition = further.map { "log \(TextTable.singleLine($0.type.name)) beside" }
        let isEdit = type != nil || !given.isEmpty || allDay != nil || !clearing.isEmpty
        let deed = [isEdit ? "change" : nil, addition].compactMap { $0 }.joined(separator: ", and ")
        let what = whatChanges(given)
        try chosen.requireConsent({ "\(deed) \($0)" + (what.isEmpty ? "" : ": \(what)") }, isGiven: yes || isOne)
        let result = try write(change, further, chosen)
        let text = try EventText(context: context)
        var parts: [String] = []
        if isEdit {
            let same = chosen.count - result.changed
            let part = same > 0 ? "\(FigureText.text(result.changed)) of " : ""
            parts.append("changed \(part)\(chosen.summary(text))" + (same > 0 ? "; the others were so already" : ""))
        }
        if let further {
            let there = chosen.count - result.added
            parts.append(
                "logged \(FigureText.counted(result.added, "event")) of \(further.type.name)"
                    + (there > 0 ? ", \(FigureText.text(there)) there already" : ""))
        }
        try context.say(
            parts.joined(separator: "; ") + change.units.map(\.text).joined(),
            json: ChangedEvents(changed: isEdit ? result.changed : nil, added: further.map { _ in result.added }))
    }

    /// The change as a person reads it before agreeing: `type walk, km=3, no note`.
    private func whatChanges(_ given: EventTexts) -> String {
        let set = [("type", type), ("note", given.note), ("place", given.place), ("location", given.location)]
            .compactMap { name, value in value.map { "\(name) \(quoted($0))" } }
        let cleared =
            [("note", clearNote), ("end", clearUntil), ("place", clearPlace), ("location", clearLocation)]
            .filter(\.1).map(\.0) + clearProp
        let day = allDay.map { [$0 ? "all day" : "not all day"] } ?? []
        return TextTable.singleLine((set + given.properties + day + cleared.map { "no \($0)" }).joined(separator: ", "))
    }

    /// Makes the change, save by save.
    @MainActor
    private func write(
        _ change: EventChange, _ further: FurtherType?, _ chosen: ChosenEvents
    ) throws -> (changed: Int, added: Int) {
        var units = change.units
        var result = (changed: 0, added: 0)
        var logged: Timestamp?
        try chosen.forEachSave("changing", "changed") { events, writes in
            try writes.store(units)
            units = []
            for event in events {
                let after = change.applied(to: event)
                if after != event {
                    try writes.change(event, to: after, named: ShortId.of(event.id))
                    result.changed += 1
                }
                guard let further, after.timestamp != logged, try !further.isThere(at: after.timestamp) else {
                    continue
                }
                try writes.create(further.copy(of: after))
                logged = after.timestamp
                result.added += 1
            }
        }
        return result
    }

    /// Refuses properties that the new type does not have: they would be kept and never shown as what they are.
    @MainActor
    private func requireFitting(_ event: Event, _ type: EventType, in context: CommandContext) throws {
        let known = Set(try context.lookup.properties(of: type.id).map(\.entity.key))
        let strange = event.properties.keys.filter { !known.contains($0) }.sorted()
        if strange.isEmpty { return }
        let clear = strange.map { "--clear-prop \(quoted($0))" }.joined(separator: " ")
        throw CommandFailure.data(
            "the type '\(type.name)' has no property \(strange.map { "'\($0)'" }.joined(separator: ", ")), which the event has; add \(clear)"
        )
    }

    @MainActor
    private func store(
        _ after: Event, over before: Event, of type: EventType, naming units: [NamedUnit],
        in context: CommandContext
    ) async throws {
        let place = fields.details.place
        let id = id.lowercased() == RecordLookup.lastEvent ? ShortId.of(before.id) : id
        try await context.store.perform { writes in
            if after.eventTypeId != before.eventTypeId {
                try writes.require(EventType.self, id: type.id, named: type.name)
            }
            if let place { try writes.require(Geofence.self, id: after.geofenceId, named: place) }
            try writes.store(units)
            try writes.change(before, to: after, named: id)
        }
    }

    @MainActor
    private func currentType(of event: Event, in context: CommandContext) throws -> EventType {
        // A pull may have brought the event before its type.
        try context.reader.find(EventType.self, id: event.eventTypeId)?.entity
            ?? EventType(id: event.eventTypeId, name: MissingTypes(context.reader).name(of: event.eventTypeId))
    }

    private func clear(in event: inout Event) throws {
        if clearNote { event.notes = nil }
        if clearUntil { event.endDate = nil }
        if clearPlace { event.geofenceId = nil }
        if clearLocation {
            event.locationName = nil
            event.locationLatitude = nil
            event.locationLongitude = nil
        }
        for key in clearProp where event.properties.removeValue(forKey: key) == nil {
            let keys = event.properties.keys.sorted()
            let near = Suggestion.nearest(to: key, among: keys).map { "did you mean '\($0)'?" }
            let hint = near ?? (keys.isEmpty ? "it has none" : "it has \(keys.joined(separator: ", "))")
            throw CommandFailure.data("the event has no property '\(key)'; \(hint)")
        }
    }
}
