import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct EditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change an event.",
        discussion: "Example:\n  trendy edit 3f9a1c2e --note \"with milk\" --clear-until --prop size=large")

    @Argument(help: "The event: its id, the end of it, or last: the one logged last.")
    var id: String

    @Option(name: .long, help: "The new type: its name or id.")
    var type: String?

    @OptionGroup var fields: EventFields

    @Flag(inversion: .prefixedNo, help: "Whether it took the whole day.")
    var allDay: Bool?

    @Flag(name: .long, help: ArgumentHelp("Take the note away.", discussion: "Take it away."))
    var clearNote = false

    @Flag(name: .long, help: ArgumentHelp("Take the end away.", discussion: "Take it away."))
    var clearUntil = false

    @Flag(name: .long, help: ArgumentHelp("Take the place away.", discussion: "Take it away."))
    var clearPlace = false

    @Option(name: .long, help: "Have no property of this key; may be repeated.")
    var clearProp: [String] = []

    @Flag(name: .long, help: "Have no coordinates and no name of a location.")
    var clearLocation = false

    @OptionGroup var common: CommonOptions

    private var clearsSomething: Bool {
        clearNote || clearUntil || !clearProp.isEmpty || clearPlace || clearLocation
    }

    func check() throws {
        if type == nil, fields.isEmpty, allDay == nil, !clearsSomething {
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
        try requireOneOf(given.properties, clearProp)
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
            ?? EventType(id: event.eventTypeId, name: "(type \(ShortId.of(event.eventTypeId)))")
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
