import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Finds the values of an argument, also from the store.
///
/// The name of the argument decides: in every command, an argument called `type` is a type.
@MainActor
struct ValueCompleter {
    /// Reads the store; nil if there is none, as completion must not create it.
    let reader: StoreReader?
    let zone: LocalZone

    func completion(
        of argument: CommandSignature.Argument, current: String, given: PrecedingArguments
    ) throws -> Completion {
        let name = argument.kind == .positional ? argument.valueName ?? "" : argument.spellings[0]
        if let choices = Self.choices(name, given) { return Completion(words: choices) }
        switch name {
        case "type", "types", "--type", "--add-type": return try types()
        case "filter": return try query(current, given)
        case "assignments" where given.command.first != "queue": return try assignments(current, given)
        case "id" where given.command == ["edit"], "ids" where given.command == ["rm"]:
            return Completion(try ids(given).candidates + query(current, given).candidates)
        case "--by" where given.command == ["stats"]: return try groupings(given)
        case "--sort" where given.command == ["stats"]: return Completion(words: ["value", "name", "-value", "-name"])
        case "--sort": return try sortings(given)
        case "--prop" where argument.isRepeating: return try assignments(current, given)
        case "words": return try timers(current, given)
        case "--prop" where ["stats", "trend"].contains(given.command.first): return try measures(of: type(given))
        case "--clear-prop", "--prop": return try keys(of: type(given))
        case "key" where given.command != ["prop", "add"]: return try keys(of: type(given))
        case "place", "--place": return try places()
        case "--clear-alias": return try aliases(of: type(given))
        case "id", "ids": return try ids(given)
        case "--columns": return try columns(current)
        case "--output", "file", "--file", "path": return Completion(files: .files)
        case "--data", "folder": return Completion(files: .folders)
        default: return Completion(words: argument.allValues ?? [])
        }
    }

    /// Frequent values of `--since` and the like.
    private static let beginnings: [String] = [
        "now", "today", "yesterday", "this week", "last week", "this month", "last month", "this year", "last year",
    ]

    /// The values of an argument with fixed choices.
    private static func choices(_ name: String, _ given: PrecedingArguments) -> [String]? {
        switch (name, given.command.first) {
        case ("key", "config"): Setting.all.map(\.key)
        case ("value", "config"):
            given.positionals.first.flatMap { key in Setting.all.first { $0.key == key } }?.kind.choices ?? []
        case ("--kind", _): PropertyType.known.map(\.rawValue)
        case ("--color", _): ColorText.known
        case ("--by", "trend"): CalendarPeriod.allCases.map(\.rawValue)
        case ("--agg", _): Aggregation.allCases.map(\.rawValue)
        case ("--since", _): beginnings
        case ("--at", _), ("--until", _): ["now", "today", "yesterday"]
        case ("--of", _): ["this", "last"]
        case ("shell", _): CompletionShell.allCases.map(\.rawValue)
        default: nil
        }
    }

    // MARK: Filters

    /// The types that a filter names.
    private func chosen(_ given: PrecedingArguments) -> [EventType] {
        guard let reader else { return [] }
        let lookup = RecordLookup(reader: reader)
        let words = given.positionals.flatMap { $0.split { $0.isWhitespace || "()".contains($0) } }
        return words.compactMap { try? lookup.type(String($0)).entity }
    }

    private func chosenDefinitions(_ given: PrecedingArguments) throws -> [PropertyDefinition] {
        guard let reader else { return [] }
        let types = chosen(given).map(\.id)
        let all = try reader.fetch(PropertyDefinition.self).map(\.entity)
        return types.isEmpty ? all : all.filter { types.contains($0.eventTypeId) }
    }

    /// The completions of a filter: types, keys and fields, or the values after an operator.
    private func query(_ current: String, _ given: PrecedingArguments) throws -> Completion {
        let definitions = try chosenDefinitions(given)
        let start =
            current.lastIndex { $0.isWhitespace || $0 == "(" }.map { current.index(after: $0) } ?? current.startIndex
        let (before, word) = (String(current[..<start]), String(current[start...]))
        guard let sign = word.firstIndex(where: { "=:~<>!".contains($0) }) else {
            var seen: Set<String> = []
            let keys = definitions.filter { seen.insert($0.key).inserted }
                .map { Completion.Candidate(text: $0.key + "=", about: $0.label) }
            let fields = QueryField.allCases.map { Completion.Candidate(text: $0.spelling, about: $0.about) }
            let words = ["not", "or"].map { Completion.Candidate(text: $0) }
            return Completion(try types().candidates + keys + fields + words).prefixed(before)
        }
        let end = word[sign...].firstIndex { !"=:~<>!".contains($0) } ?? word.endIndex
        return try values(of: String(word[..<sign]), definitions).prefixed(before + word[..<end])
    }

    private func values(of key: String, _ definitions: [PropertyDefinition]) throws -> Completion {
        let folded = key.lowercased()
        let prefix = QueryResolver.propertyPrefix
        switch QueryField(key) {
        case .type: return try types()
        case .place: return try places()
        case .is: return Completion(words: QueryState.allCases.map(\.rawValue))
        case .since, .until, .on: return Completion(words: Self.beginnings)
        case .id: return try ids(PrecedingArguments(command: ["show"]))
        default:
            let plain = folded.hasPrefix(prefix) ? String(folded.dropFirst(prefix.count)) : folded
            let values = definitions.filter { Names.areSame($0.key, plain) }.flatMap(Self.values)
            return Completion(words: Set(values).sorted())
        }
    }

    private func groupings(_ given: PrecedingArguments) throws -> Completion {
        let keys = Set(try chosenDefinitions(given).map(\.key)).sorted()
        return Completion(words: CountGrouping.allCases.map(\.rawValue) + ["type"] + keys)
    }

    private func sortings(_ given: PrecedingArguments) throws -> Completion {
        let names = ["time", "duration"] + Set(try chosenDefinitions(given).map(\.key)).sorted()
        return Completion(words: names + names.map { "-\($0)" })
    }

    // MARK: Records

    func types() throws -> Completion {
        guard let reader else { return Completion() }
        let types = try reader.fetch(EventType.self).map(\.entity)
        var found = types.map { Completion.Candidate(text: $0.name, about: "type") }
        let aliases = try TypeAliases.load(reader)
        for type in types {
            for alias in aliases.aliases(of: type.id) { found.append(.init(text: alias, about: type.name)) }
        }
        return Completion(found.sorted { $0.text < $1.text })
    }

    private func places() throws -> Completion {
        guard let reader else { return Completion() }
        return Completion(words: try reader.fetch(Geofence.self).map(\.entity.name).sorted())
    }

    /// The type that the command line names, directly or by an event.
    private func type(_ given: PrecedingArguments) -> EventType? {
        guard let reader else { return nil }
        let lookup = RecordLookup(reader: reader)
        if let name = given.options["--type"]?.last, let type = try? lookup.type(name) { return type.entity }
        guard let first = given.positionals.first else { return nil }
        if given.command == ["edit"] {
            guard let event = try? lookup.event(first).entity else { return nil }
            return (try? reader.find(EventType.self, id: event.eventTypeId))?.entity
        }
        return (try? lookup.type(first))?.entity
    }

    private func definitions(of type: EventType?) throws -> [PropertyDefinition] {
        guard let reader, let type else { return [] }
        return try RecordLookup(reader: reader).properties(of: type.id).map(\.entity)
    }

    private func keys(of type: EventType?) throws -> Completion {
        Completion(try definitions(of: type).map { .init(text: $0.key, about: $0.label) })
    }

    /// The properties that are numbers or durations, and `time` unless a property has that name.
    private func measures(of type: EventType?) throws -> Completion {
        let numbers = try definitions(of: type).filter(\.hasNumbers)
        let found = numbers.map { Completion.Candidate(text: $0.key, about: $0.label) }
        if found.contains(where: { Measure.isTime($0.text) }) { return Completion(found) }
        return Completion(found + [.init(text: Measure.timeKey, about: "the time from start to end")])
    }

    private func aliases(of type: EventType?) throws -> Completion {
        guard let reader, let type else { return Completion() }
        return Completion(words: try TypeAliases.load(reader).aliases(of: type.id))
    }

    /// `size=` for each property, and `size=large` for each option.
    private func assignments(_ current: String, _ given: PrecedingArguments, of known: EventType? = nil) throws
        -> Completion
    {
        let definitions = try definitions(of: known ?? type(given))
        let all = definitions.map(\.key)
        let written = (given.positionals + (given.options["--prop"] ?? [])).compactMap {
            Assignment($0, among: all)?.key
        }
        let keys = Completion(
            definitions.filter { !written.contains($0.key) }.map { .init(text: $0.key + "=", about: $0.label) })
        guard let begun = Assignment(current, among: all) else { return keys }
        let definition = definitions.first { Names.areSame($0.key, begun.key) }
        // A key from another program can contain '='.
        guard let definition else { return keys.matching(current) }
        return Completion(words: Self.values(definition)).prefixed(begun.key + "=")
    }

    private static func values(_ definition: PropertyDefinition) -> [String] {
        switch definition.propertyType {
        case .select: definition.options ?? []
        case .boolean: ["yes", "no"]
        case .date: ["now", "today", "yesterday"]
        default: []
        }
    }

    /// The types whose timers run, then the properties.
    private func timers(_ current: String, _ given: PrecedingArguments) throws -> Completion {
        guard let reader else { return Completion() }
        let running = Set(try RunningTimers.load(reader).events.map(\.eventTypeId))
        let types = try reader.fetch(EventType.self).map(\.entity).filter { running.contains($0.id) }
        if given.positionals.isEmpty, !current.contains("=") {
            let only = types.count == 1 ? try assignments(current, given, of: types[0]).candidates : []
            return Completion(types.map { .init(text: $0.name, about: "timer") } + only)
        }
        let isNamed = given.positionals.first.map { !$0.contains("=") } ?? false
        return try assignments(current, given, of: isNamed ? nil : types.first)
    }

    // MARK: Ids

    private static let shownIds = 30

    private func ids(_ given: PrecedingArguments) throws -> Completion {
        guard let reader else { return Completion() }
        switch given.command.first {
        case "queue":
            let waiting = try reader.mutations(MutationQuery(states: [.queued, .sending, .parked]))
            return Completion(
                waiting.prefix(Self.shownIds).map {
                    .init(text: String($0.id), about: "\($0.operation.rawValue) \($0.entityType.displayName)")
                })
        case "conflicts": return Completion(words: try reader.documents(SyncConflict.self).map { ShortId.of($0.id) })
        case "quarantine":
            return Completion(words: try reader.documents(QuarantinedChange.self).map { ShortId.of($0.id) })
        default: return try events(reader)
        }
    }

    private func events(_ reader: StoreReader) throws -> Completion {
        let types = Dictionary(
            try reader.fetch(EventType.self).map { ($0.id, $0.entity.name) }, uniquingKeysWith: { first, _ in first })
        let events = try reader.newestIds(of: .event, limit: Self.shownIds).compactMap {
            try reader.find(Event.self, id: $0)?.entity
        }
        let about = { (event: Event) in "\(types[event.eventTypeId] ?? "?") \(zone.startText(event))" }
        let last = events.prefix(1).map { Completion.Candidate(text: RecordLookup.lastEvent, about: about($0)) }
        return Completion(last + events.map { Completion.Candidate(text: ShortId.of($0.id), about: about($0)) })
    }

    /// A list with commas, whose last item is completed.
    private func columns(_ current: String) throws -> Completion {
        let keys = try reader?.fetch(PropertyDefinition.self).map { "prop." + $0.entity.key } ?? []
        let names = EventColumn.Fact.allCases.map(\.rawValue).sorted() + Set(keys).sorted()
        let before = current.lastIndex(of: ",").map { String(current[...$0]) } ?? ""
        return Completion(words: names).prefixed(before)
    }
}
