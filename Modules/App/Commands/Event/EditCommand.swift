import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct EditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an event, or all events that match a filter.",
        discussion: """
            Example:
              trendy edit 'run km<1' --add-type walk --yes
            """)

    @Argument(help: "An id, 'last' (logged last), or a filter.")
    var id: String

    @Option(name: .long, help: "The new type: a name or an id.")
    var type: String?

    @Option(name: .long, help: "Also log an event of this type at the same time.")
    var addType: String?

    @Flag(name: .shortAndLong, help: "Do not ask. Scripts with a filter need it.")
    var yes = false

    @OptionGroup var fields: EventFields

    @Flag(inversion: .prefixedNo, help: "Turn it into an all-day event, or back.")
    var allDay: Bool?

    @Flag(name: .long, help: ArgumentHelp("Remove the note.", discussion: "Remove it."))
    var clearNote = false

    @Flag(name: .long, help: ArgumentHelp("Remove the end.", discussion: "Remove it."))
    var clearUntil = false

    @Flag(name: .long, help: ArgumentHelp("Remove the place.", discussion: "Remove it."))
    var clearPlace = false

    @Flag(
        name: .long,
        help: ArgumentHelp("Remove the location and its coordinates.", discussion: "Remove it."))
    var clearLocation = false

    @Option(name: .long, help: "Remove this property; repeatable.")
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
            throw CommandFailure.usage("--\(name) and --clear-\(name) cannot be used together")
        }
        try requireOneOf(given.properties + given.words, clearProp)
    }

    /// Refuses a property that is both set and removed.
    private func requireOneOf(_ assignments: [String], _ cleared: [String]) throws {
        for key in cleared {
            guard let assignment = assignments.first(where: { Assignment($0, among: [key])?.isOf(key) == true })
            else { continue }
            throw CommandFailure.usage("'\(assignment)' and --clear-prop \(quoted(key)) cannot be used together")
        }
    }

    func run(in context: CommandContext) async throws {
        let isOne = try context.namesEvent(id)
        if !isOne || addType != nil {
            let query = isOne ? try context.query(QueryInput(words: ["id:\(id)"])) : try context.query(events: [id])
            return try await changeChosen(query, isOne: isOne, in: context)
        }
        let before = try context.lookup.event(id).entity
        var after = before
        let type =
            try self.type.map { try context.lookup.type($0).entity } ?? (try currentType(of: before, in: context))
        after.eventTypeId = type.id
        if let allDay { after.isAllDay = allDay }
        try clear(in: &after, context.lookup.properties(of: before.eventTypeId).map(\.entity))
        let (texts, remark) = try UnkeyedWords.sorted(fields.texts, of: type, or: [], in: context)
        let units = try texts.apply(to: &after, before: before, of: type, in: context)
        if type.id != before.eventTypeId { try requireFitting(after, type, in: context) }
        try await NoteDraft.during(texts.usesEditor, before: after.notes, in: context) { note in
            if let note { after.notes = note }
            try await store(after, over: before, of: type, naming: units, in: context)
        }
        let verb = after == before ? "did not change" : "changed"
        let rest = after == before ? ": it already has these values" : ""
        try context.say(
            "\(verb) \(type.name), \(context.process.zone.spanText(after)) (\(ShortId.of(after.id)))\(rest)"
                + remark + units.map(\.text).joined(),
            event: after.id)
    }

    /// - Parameter isOne: Whether the query names one event by its id.
    @MainActor
    private func changeChosen(_ query: EventQuery, isOne: Bool, in context: CommandContext) async throws {
        var given = fields.texts
        // Words without a key would have to fit the properties of every type.
        (given.properties, given.words) = (given.properties + given.words, [])
        if given.at != nil || given.until != nil {
            throw CommandFailure.usage(
                "--at and --until change one event only; "
                    + (isOne ? "use --add-type without them" : "name the event by its id"))
        }
        var query = query
        let further = try addType.map { try AdditionalType(context.lookup.type($0).entity, in: context) }
        if let further {
            // The new events match the filter, too; they must not get events of their own.
            query.filter = query.filter.and(.not(.type(in: [further.type.id])))
        }
        let chosen = try await ChosenEvents(query, in: context)
        guard chosen.count > 0 else {
            return try context.say("no events match; nothing was changed", json: ChangedEvents())
        }
        let clearing = EventChange.Clearing(
            note: clearNote, end: clearUntil, place: clearPlace, location: clearLocation, properties: clearProp)
        let change = try await EventChange(
            chosen, type: try type.map { try context.lookup.type($0).entity }, allDay: allDay, given, clearing)
        let addition = further.map { "log \(TextTable.singleLine($0.type.name)) at the same time" }
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
            parts.append(
                "changed \(part)\(chosen.summary(text))" + (same > 0 ? "; the others did not need the change" : ""))
        }
        if let further {
            let there = chosen.count - result.added
            parts.append(
                "logged \(FigureText.counted(result.added, "event")) of \(further.type.name)"
                    + (there > 0 ? ", \(FigureText.text(there)) existed already" : ""))
        }
        try context.say(
            parts.joined(separator: "; ") + change.units.map(\.text).joined(),
            json: ChangedEvents(changed: isEdit ? result.changed : nil, added: further.map { _ in result.added }))
    }

    /// The change, for the question: `type walk, km=3, no note`.
    private func whatChanges(_ given: EventInput) -> String {
        let set = [("type", type), ("note", given.note), ("place", given.place), ("location", given.location)]
            .compactMap { name, value in value.map { "\(name) \(quoted($0))" } }
        let cleared =
            [("note", clearNote), ("end", clearUntil), ("place", clearPlace), ("location", clearLocation)]
            .filter(\.1).map(\.0) + clearProp
        let day = allDay.map { [$0 ? "all day" : "not all day"] } ?? []
        return TextTable.singleLine((set + given.properties + day + cleared.map { "no \($0)" }).joined(separator: ", "))
    }

    /// Stores the changes in several saves.
    @MainActor
    private func write(
        _ change: EventChange, _ further: AdditionalType?, _ chosen: ChosenEvents
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

    /// Refuses properties that the new type does not have: nothing would show them correctly.
    @MainActor
    private func requireFitting(_ event: Event, _ type: EventType, in context: CommandContext) throws {
        let known = Set(try context.lookup.properties(of: type.id).map { NameKey($0.entity.key) })
        let strange = event.properties.keys.filter { !known.contains(NameKey($0)) }.sorted()
        if strange.isEmpty { return }
        let clear = strange.map { "--clear-prop \(quoted($0))" }.joined(separator: " ")
        throw CommandFailure.data(
            "the type '\(type.name)' has no property \(strange.map { "'\($0)'" }.joined(separator: ", ")); remove it from the event with \(clear)"
        )
    }

    @MainActor
    private func store(
        _ after: Event, over before: Event, of type: EventType, naming units: [AdoptedUnit],
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
        // A sync can bring an event before its type.
        try context.reader.find(EventType.self, id: event.eventTypeId)?.entity
            ?? EventType(id: event.eventTypeId, name: MissingTypes(context.reader).name(of: event.eventTypeId))
    }

    /// - Parameter definitions: Those of the type that the event had before.
    private func clear(in event: inout Event, _ definitions: [PropertyDefinition]) throws {
        if clearNote { event.notes = nil }
        if clearUntil { event.endDate = nil }
        if clearPlace { event.geofenceId = nil }
        if clearLocation {
            event.locationName = nil
            event.locationLatitude = nil
            event.locationLongitude = nil
        }
        for key in clearProp {
            if !event.properties.spellings(of: key, among: definitions).isEmpty {
                event.properties.set(nil, of: key, among: definitions)
                continue
            }
            let keys = event.properties.keys.sorted()
            let near = Suggestion.nearest(to: key, among: keys).map { "did you mean '\($0)'?" }
            let hint = near ?? (keys.isEmpty ? "it has none" : "it has \(keys.joined(separator: ", "))")
            throw CommandFailure.data("the event has no property '\(key)'; \(hint)")
        }
    }
}
