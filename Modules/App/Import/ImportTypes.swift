import TrendyData
import TrendyDomain

/// The types that an import needs, and their properties; makes the types that do not exist.
@MainActor
final class ImportTypes {
    private let context: CommandContext
    private let createsMissing: Bool
    private var types: [String: EventType] = [:]
    private var definitions: [String: [String: PropertyDefinition]] = [:]
    /// Types that rows need and that are not stored yet.
    private var missing: [EventType] = []
    /// The names of the types that were made.
    private(set) var created: [String] = []

    init(context: CommandContext, createsMissing: Bool) throws {
        self.context = context
        self.createsMissing = createsMissing
        for type in try context.reader.fetch(EventType.self) { types[type.entity.name] = type.entity }
    }

    /// The type of that name, a new one where there is none.
    ///
    /// - Throws: A problem with the row: the name is not possible, or types must not be made.
    func type(named name: String) throws(RowProblem) -> EventType {
        if let known = types[name] { return known }
        let folded = name.lowercased()
        let near = types.values.filter { $0.name.lowercased() == folded }
        if near.count == 1 {
            types[name] = near[0]
            return near[0]
        }
        guard createsMissing else {
            throw RowProblem("there is no type '\(name)'; \(RecordLookup.typeHint(name, among: Array(types.keys)))")
        }
        let type = EventType(id: context.makeId(), name: name)
        do { try type.validate() } catch { throw RowProblem("\(error)") }
        types[name] = type
        missing.append(type)
        return type
    }

    /// Stores the types that these events need and that are not stored yet.
    func storeMissing(for events: [Event]) async throws {
        if missing.isEmpty { return }
        let needed = Set(events.map(\.eventTypeId))
        let fresh = missing.filter { needed.contains($0.id) }
        try await context.store.create(contentsOf: fresh)
        created += fresh.map(\.name)
        missing.removeAll { needed.contains($0.id) }
    }

    /// The definition of a property of a type.
    func definition(_ key: String, of type: EventType) throws -> PropertyDefinition {
        if definitions[type.id] == nil {
            let all = try context.lookup.properties(of: type.id).map(\.entity)
            definitions[type.id] = Dictionary(all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let known = definitions[type.id] ?? [:]
        guard let definition = known[key] else {
            throw RowProblem(RecordLookup.unknownProperty(key, of: type, among: Array(known.keys)))
        }
        return definition
    }
}

/// Why a row cannot go in.
struct RowProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
