import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation

/// The types, properties and places of an import; creates missing ones.
@MainActor
final class ImportTypes: ImportableTypes {
    /// The created records.
    struct Created {
        /// The names of the types, in the order of their creation.
        var types: [String] = []
        var properties = 0
        var places = 0
    }

    private let context: CommandContext
    /// Whether missing types and properties are created.
    let createsMissing: Bool
    /// The types by their names; several if different devices created them.
    private var types: [NameKey: [EventType]] = [:]
    /// A cache of the resolved names.
    private var answers: [String: (type: EventType, folded: String)] = [:]
    /// The definitions of each type, by their keys.
    private var definitions: [String: [String: PropertyDefinition]] = [:]
    private var places: [Geofence]
    private let aliases: TypeAliases
    /// The records that are not stored yet.
    private var missing = ImportPrerequisites()
    /// Records of the file that are stored even if no event needs them.
    private var adopted: Set<String> = []
    /// The ids of definitions that were created for values of the file.
    private var made: Set<String> = []
    /// Types that other processes created meanwhile, by the ids of the types that they replace.
    private var replacements: [String: EventType] = [:]
    /// The records that were created so far.
    private(set) var created = Created()
    /// Remarks on existing records.
    private(set) var remarks: [String] = []
    /// Whether existing records get the values of the file.
    private let updates: Bool
    /// The number of existing records with other values.
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
        types[NameKey(type.name), default: []].append(type)
    }

    // MARK: Types

    /// The type with that name; a new one if there is none.
    ///
    /// - Throws: ``RowError`` if the name is not possible, or types must not be created.
    func type(named name: String) throws(RowError) -> EventType {
        if let answer = answers[name] { return answer.type }
        let folded = name.lowercased()
        let type = try find(name)
        answers[name] = (type, folded)
        return type
    }

    /// The name in lower case. The ids of imported events are made of it, so it is no ``NameKey``: a file that was
    /// imported before must give the same ids again.
    func folded(_ name: String) -> String { answers[name]?.folded ?? name.lowercased() }

    private func find(_ name: String) throws(RowError) -> EventType {
        if let near = try present(name) { return near }
        if let owner = aliases.typeId(name),
            let type = types.values.lazy.flatMap({ $0 }).first(where: { $0.id == owner })
        {
            remarks.append("'\(name)' is an alias of the type '\(type.name)', which is used")
            return type
        }
        guard createsMissing else {
            let names = types.values.flatMap { $0.map(\.name) }
            throw RowError(UnknownType(name, among: names).message)
        }
        let plain = Names.plain(name)
        if let obstacle = Names.obstacle(to: plain) { throw RowError(obstacle) }
        let color = TypePalette.color(beside: types.values.joined())
        let type = EventType(id: context.makeId(), name: plain, color: color)
        do { try type.validate() } catch { throw RowError("\(error)") }
        add(type)
        missing.types.append(type)
        return type
    }

    private func present(_ name: String) throws(RowError) -> EventType? {
        let near = types[NameKey(name)] ?? []
        if let exact = near.first(where: { $0.name == name }) { return exact }
        if near.count > 1 {
            throw RowError("'\(name)' is ambiguous: \(near.map(\.name).joined(separator: ", "))")
        }
        return near.first
    }

    /// The existing type with the id or the name of a type of the file, or that type itself.
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

    /// Records that an existing type has other values. A name that another type has is not taken.
    private func note(_ type: EventType, insteadOf present: EventType) {
        var type = type
        let namesakes = types[NameKey(type.name)] ?? []
        if namesakes.contains(where: { $0.id != type.id }) { type.name = present.name }
        note(type, insteadOf: present) { $0.changed.types.append(type) }
    }

    private func note<Entity: SyncEntity>(
        _ record: Entity, insteadOf present: Entity, _ change: (inout ImportPrerequisites) -> Void
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
            throw RowError(RecordLookup.unknownProperty(key, of: type, among: Array(known.keys)))
        }
        return definition
    }

    /// The property of a type with this key, or the only one whose key is the same; nil for none.
    func present(_ key: String, of type: EventType) throws -> PropertyDefinition? {
        let known = try definitions(of: type)
        if let exact = known[key] { return exact }
        let near = known.values.filter { Names.areSame($0.key, key) }
        return near.count == 1 ? near[0] : nil
    }

    /// Whether the first value of a named column creates a property.
    ///
    /// A key that is the same as an existing one but for its spelling is a mistake.
    func makesDefinition(_ key: String, of type: EventType) throws -> Bool {
        let known = try definitions(of: type)
        guard createsMissing, known[key] == nil, Assignment.obstacle(to: key) == nil else { return false }
        return !known.keys.contains { Names.areSame($0, key) }
    }

    /// The definition of a property; creates one for the value if there is none.
    ///
    /// The options of a created select property are the values in the file.
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
        do { try context.reader.validate(definition) } catch { throw RowError("\(error)") }
        definitions[type.id]?[key] = definition
        missing.definitions.append(definition)
        made.insert(definition.id)
        return definition
    }

    /// The definition with the value as a new option, if this import created the definition.
    private func widened(_ definition: PropertyDefinition, for value: PropertyValue) -> PropertyDefinition {
        guard case .select(let option) = value, definition.propertyType == .select, made.contains(definition.id),
            definition.options?.contains(option) == false
        else { return definition }
        var widened = definition
        widened.options?.append(option)
        // An option that a definition cannot have stays a value of the event.
        guard (try? context.reader.validate(widened)) != nil else { return definition }
        definitions[widened.eventTypeId]?[widened.key] = widened
        missing.widen(widened)
        return widened
    }

    /// Adds a definition of the file, unless its type has one with that key.
    ///
    /// - Throws: ``RowError`` if an existing definition would become invalid.
    func adopt(_ definition: PropertyDefinition, of type: EventType) throws {
        let known = try definitions(of: type)
        if let present = known[definition.key] ?? known.values.first(where: { Names.areSame($0.key, definition.key) }) {
            if present.propertyType != definition.propertyType {
                remarks.append(
                    "the property '\(definition.key)' of '\(type.name)' is a \(present.propertyType) here and a "
                        + "\(definition.propertyType) in the file; the definition was not changed")
            } else if present.id == definition.id {
                if updates, definition != present {
                    do { try context.reader.validate(definition) } catch { throw RowError("\(error)") }
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

    /// The existing place with the id or the name of a place of the file, or that place itself.
    func adopt(_ place: Geofence) -> Geofence {
        let key = NameKey(place.name)
        if let same = places.first(where: { $0.id == place.id }) {
            note(place, insteadOf: same) { $0.changed.places.append(place) }
            return same
        }
        if let same = places.first(where: { NameKey($0.name) == key }) { return same }
        places.append(place)
        missing.places.append(place)
        adopted.insert(place.id)
        return place
    }

    /// Whether a place with that id exists.
    func hasPlace(_ id: String) -> Bool { places.contains { $0.id == id } }

    // MARK: Storing

    /// The id of the stored type that replaces a new one.
    func id(standingFor id: String) -> String { replacements[id]?.id ?? id }

    /// The records that these events need, and those that are stored in any case.
    func need(of events: [Event]) -> ImportPrerequisites {
        let ids = Set(events.map(\.eventTypeId))
        var need = ImportPrerequisites()
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

    /// Updates the state after the needed records were stored.
    func settle(_ need: ImportPrerequisites, _ replaced: [String: EventType]) {
        missing.remove(need)
        replacements.merge(replaced) { _, new in new }
        created.types += need.types.filter { replaced[$0.id] == nil }.map(\.name)
        created.properties += need.definitions.count
        created.places += need.places.count
        if replaced.isEmpty { return }
        for (key, list) in types { types[key] = list.map { replaced[$0.id] ?? $0 } }
        for (name, answer) in answers {
            if let type = replaced[answer.type.id] { answers[name] = (type, answer.folded) }
        }
        // The definitions of the other import and of this one are read again when needed.
        for (old, type) in replaced {
            definitions[old] = nil
            definitions[type.id] = nil
        }
        missing.move(from: replaced)
    }
}
