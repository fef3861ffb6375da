import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation

/// The types that an import needs, with their properties, and the places; makes what does not exist.
@MainActor
final class ImportTypes: ImportableTypes {
    /// How much was made.
    struct Created {
        /// The names of the types, in the order in which they were made.
        var types: [String] = []
        var properties = 0
        var places = 0
    }

    private let context: CommandContext
    /// Whether types and properties that do not exist are made.
    let createsMissing: Bool
    /// The types by their names in lower case; several only where they came from different devices.
    private var types: [String: [EventType]] = [:]
    /// What names that were asked for stand for, for speed.
    private var answers: [String: (type: EventType, folded: String)] = [:]
    private var definitions: [String: [String: PropertyDefinition]] = [:]
    private var places: [Geofence]
    private let aliases: TypeAliases
    /// What is not stored yet.
    private var missing = ImportNeed()
    /// Records of a catalogue, which go in whether an event needs them or not.
    private var adopted: Set<String> = []
    /// Definitions that were made for the values of the file.
    private var made: Set<String> = []
    /// Types that others have made meanwhile, by the ids of those that they stand for.
    private var replacements: [String: EventType] = [:]
    /// How much was made so far.
    private(set) var created = Created()
    /// What a person has to know of what was found here.
    private(set) var remarks: [String] = []
    /// Whether records of a catalogue that are here already get its values.
    private let updates: Bool
    /// How many of them are here with other values.
    private(set) var differing = 0

    init(context: CommandContext, createsMissing: Bool, updates: Bool = false) throws {
        self.context = context
        self.createsMissing = createsMissing
        self.updates = updates
        places = try context.reader.fetch(Geofence.self).map(\.entity)
        aliases = try TypeAliases.load(context.reader)
        for type in try context.reader.fetch(EventType.self) { add(type.entity) }
    }

    private func add(_ type: EventType) {
        types[Names.folded(type.name), default: []].append(type)
    }

    // MARK: Types

    /// The type of that name whatever its case, a new one where there is none.
    ///
    /// - Throws: A problem with the row: the name is not possible, or types must not be made.
    func type(named name: String) throws(RowProblem) -> EventType {
        if let answer = answers[name] { return answer.type }
        let folded = name.lowercased()
        let type = try find(name)
        answers[name] = (type, folded)
        return type
    }

    /// The name in the form that is the same however it is written.
    func folded(_ name: String) -> String { answers[name]?.folded ?? name.lowercased() }

    private func find(_ name: String) throws(RowProblem) -> EventType {
        if let near = try present(name) { return near }
        if let owner = aliases.typeId(name),
            let type = types.values.lazy.flatMap({ $0 }).first(where: { $0.id == owner })
        {
            remarks.append("'\(name)' is an alias here, and goes to the type '\(type.name)'")
            return type
        }
        guard createsMissing else {
            let names = types.values.flatMap { $0.map(\.name) }
            throw RowProblem(UnknownType(name, among: names).message)
        }
        let plain = Names.plain(name)
        if let obstacle = Names.obstacle(to: plain) { throw RowProblem(obstacle) }
        let color = TypePalette.color(beside: types.values.joined())
        let type = EventType(id: context.makeId(), name: plain, color: color)
        do { try type.validate() } catch { throw RowProblem("\(error)") }
        add(type)
        missing.types.append(type)
        return type
    }

    private func present(_ name: String) throws(RowProblem) -> EventType? {
        let near = types[Names.folded(name)] ?? []
        if let exact = near.first(where: { $0.name == name }) { return exact }
        if near.count > 1 {
            throw RowProblem("'\(name)' can mean several types: \(near.map(\.name).joined(separator: ", "))")
        }
        return near.first
    }

    /// Takes a type of a catalogue: the one here that has its id or its name, else the type itself.
    func adopt(_ type: EventType) throws -> EventType {
        if let same = try known(type) {
            if same.id == type.id { note(type, insteadOf: same) }
            return same
        }
        add(type)
        missing.types.append(type)
        adopted.insert(type.id)
        return type
    }

    /// Takes note of a type that is here with other values. A name that another type has by now stays that one's.
    private func note(_ type: EventType, insteadOf present: EventType) {
        var type = type
        let namesakes = types[Names.folded(type.name)] ?? []
        if namesakes.contains(where: { $0.id != type.id }) { type.name = present.name }
        note(type, insteadOf: present) { $0.changed.types.append(type) }
    }

    private func note<Entity: SyncEntity>(
        _ record: Entity, insteadOf present: Entity, _ change: (inout ImportNeed) -> Void
    ) {
        guard record != present else { return }
        differing += 1
        if updates { change(&missing) }
    }

    private func known(_ type: EventType) throws -> EventType? {
        if let same = types.values.lazy.flatMap({ $0 }).first(where: { $0.id == type.id }) { return same }
        return try present(type.name)
    }

    // MARK: Properties

    func definition(_ key: String, of type: EventType) throws -> PropertyDefinition {
        let known = try definitions(of: type)
        guard let definition = known[key] else {
            throw RowProblem(RecordLookup.unknownProperty(key, of: type, among: Array(known.keys)))
        }
        return definition
    }

    /// The property of a type that has this key, whatever its case where that is unique; nil where there is none.
    func present(_ key: String, of type: EventType) throws -> PropertyDefinition? {
        let known = try definitions(of: type)
        if let exact = known[key] { return exact }
        let folded = key.lowercased()
        let near = known.values.filter { $0.key.lowercased() == folded }
        return near.count == 1 ? near[0] : nil
    }

    /// Whether a type lacks a property, which is made for the first value of a column that a person names for it.
    ///
    /// A key that differs only in case from one that is there is a slip.
    func makesDefinition(_ key: String, of type: EventType) throws -> Bool {
        let known = try definitions(of: type)
        guard createsMissing, known[key] == nil, Assignment.obstacle(to: key) == nil else { return false }
        let folded = key.lowercased()
        return !known.keys.contains { $0.lowercased() == folded }
    }

    /// The definition of a property of a type; one that takes this value is made where there is none.
    ///
    /// A property of options that is made here gets those that the values have, as they come.
    func definition(
        _ key: String, of type: EventType, orMakeFor value: PropertyValue
    ) throws -> PropertyDefinition {
        let known = try definitions(of: type)
        if let definition = known[key] { return widened(definition, for: value) }
        guard createsMissing else { return try definition(key, of: type) }
        var definition = PropertyDefinition(
            id: context.makeId(), eventTypeId: type.id, key: key, label: key, propertyType: value.type,
            displayOrder: known.count)
        if case .select(let option) = value { definition.options = [option] }
        do { try context.reader.validate(definition) } catch { throw RowProblem("\(error)") }
        definitions[type.id]?[key] = definition
        missing.definitions.append(definition)
        made.insert(definition.id)
        return definition
    }

    /// The definition with one more option, where it was made here and the value is none of those that it has.
    private func widened(_ definition: PropertyDefinition, for value: PropertyValue) -> PropertyDefinition {
        guard case .select(let option) = value, definition.propertyType == .select, made.contains(definition.id),
            definition.options?.contains(option) == false
        else { return definition }
        var widened = definition
        widened.options?.append(option)
        // What no definition can have stays a value of its event.
        guard (try? context.reader.validate(widened)) != nil else { return definition }
        definitions[widened.eventTypeId]?[widened.key] = widened
        missing.widen(widened)
        return widened
    }

    /// Takes a definition of a catalogue, unless its type has one of that key.
    ///
    /// - Throws: ``RowProblem`` where one that is here would get values that nobody may write.
    func adopt(_ definition: PropertyDefinition, of type: EventType) throws {
        if let present = try definitions(of: type)[definition.key] {
            if present.propertyType != definition.propertyType {
                remarks.append(
                    "the property '\(definition.key)' of '\(type.name)' is a \(present.propertyType) here and a "
                        + "\(definition.propertyType) in the file; its definition stays as it is here")
            } else if present.id == definition.id {
                if updates, definition != present {
                    do { try context.reader.validate(definition) } catch { throw RowProblem("\(error)") }
                }
                note(definition, insteadOf: present) { $0.changed.definitions.append(definition) }
            }
            return
        }
        definitions[type.id]?[definition.key] = definition
        missing.definitions.append(definition)
        adopted.insert(definition.id)
    }

    private func definitions(of type: EventType) throws -> [String: PropertyDefinition] {
        if let known = definitions[type.id] { return known }
        let all = try context.lookup.properties(of: type.id).map(\.entity)
        let known = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        definitions[type.id] = known
        return known
    }

    // MARK: Places

    /// Takes a place of a catalogue: the one here that has its id or its name, else the place itself.
    func adopt(_ place: Geofence) -> Geofence {
        let folded = Names.folded(place.name)
        if let same = places.first(where: { $0.id == place.id }) {
            note(place, insteadOf: same) { $0.changed.places.append(place) }
            return same
        }
        if let same = places.first(where: { Names.folded($0.name) == folded }) { return same }
        places.append(place)
        missing.places.append(place)
        adopted.insert(place.id)
        return place
    }

    /// Whether there is a place of that id.
    func hasPlace(_ id: String) -> Bool { places.contains { $0.id == id } }

    // MARK: Storing

    /// The id of the type that is stored for one that was to be made.
    func id(standingFor id: String) -> String { replacements[id]?.id ?? id }

    /// What these events need, and what has to go in without any that needs it.
    func need(of events: [Event]) -> ImportNeed {
        let ids = Set(events.map(\.eventTypeId))
        var need = ImportNeed()
        need.types = missing.types.filter { ids.contains($0.id) || adopted.contains($0.id) }
        need.definitions = missing.definitions.filter { ids.contains($0.eventTypeId) || adopted.contains($0.id) }
        need.widened = missing.widened
        need.places = missing.places
        need.changed = missing.changed
        let names = answers.values.reduce(into: [:]) { $0[$1.type.id] = $1.type.name }
        let known = ids.subtracting(need.types.map(\.id)).sorted()
        need.known = known.map { ($0, names[$0] ?? $0) }
        return need
    }

    /// Takes note of what became of the needed records.
    func settle(_ need: ImportNeed, _ replaced: [String: EventType]) {
        missing.remove(need)
        replacements.merge(replaced) { _, new in new }
        created.types += need.types.filter { replaced[$0.id] == nil }.map(\.name)
        created.properties += need.definitions.count
        created.places += need.places.count
        if replaced.isEmpty { return }
        for (folded, list) in types { types[folded] = list.map { replaced[$0.id] ?? $0 } }
        for (name, answer) in answers {
            if let type = replaced[answer.type.id] { answers[name] = (type, answer.folded) }
        }
        // What the other import has defined counts, with what of this one's went in: both are read when needed.
        for (old, type) in replaced {
            definitions[old] = nil
            definitions[type.id] = nil
        }
        missing.move(from: replaced)
    }
}
