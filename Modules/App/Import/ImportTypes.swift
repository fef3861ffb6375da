import TrendyData
import TrendyDomain
import TrendySync

/// The types that an import needs, and their properties; makes the types that do not exist.
@MainActor
final class ImportTypes {
    private let context: CommandContext
    private let createsMissing: Bool
    /// The types by their names in lower case; several only where they came from different devices.
    private var types: [String: [EventType]] = [:]
    /// What names that were asked for stand for, for speed.
    private var answers: [String: (type: EventType, folded: String)] = [:]
    private var definitions: [String: [String: PropertyDefinition]] = [:]
    /// Types that rows need and that are not stored yet.
    private var missing: [EventType] = []
    /// The names of the types that were made.
    private var created: [String] = []

    init(context: CommandContext, createsMissing: Bool) throws {
        self.context = context
        self.createsMissing = createsMissing
        for type in try context.reader.fetch(EventType.self) { add(type.entity) }
    }

    /// The names of the types that were made, in the order in which they were.
    var createdNames: [String] { created }

    private func add(_ type: EventType) {
        types[type.name.lowercased(), default: []].append(type)
    }

    /// The type of that name whatever its case, a new one where there is none.
    ///
    /// - Throws: A problem with the row: the name is not possible, or types must not be made.
    func type(named name: String) throws(RowProblem) -> EventType {
        if let answer = answers[name] { return answer.type }
        let folded = name.lowercased()
        let type = try find(name, folded)
        answers[name] = (type, folded)
        return type
    }

    /// The name in the form that is the same however it is written.
    func folded(_ name: String) -> String { answers[name]?.folded ?? name.lowercased() }

    private func find(_ name: String, _ folded: String) throws(RowProblem) -> EventType {
        let near = types[folded] ?? []
        if let exact = near.first(where: { $0.name == name }) { return exact }
        if near.count > 1 {
            throw RowProblem("'\(name)' can mean several types: \(near.map(\.name).joined(separator: ", "))")
        }
        if let only = near.first { return only }
        guard createsMissing else {
            let names = types.values.flatMap { $0.map(\.name) }
            throw RowProblem(UnknownType(name, among: names).message)
        }
        let type = EventType(id: context.makeId(), name: name)
        do { try type.validate() } catch { throw RowProblem("\(error)") }
        add(type)
        missing.append(type)
        return type
    }

    /// What types these events need.
    func need(of events: [Event]) -> Need {
        let ids = Set(events.map(\.eventTypeId))
        let fresh = missing.filter { ids.contains($0.id) }
        let names = answers.values.reduce(into: [:]) { $0[$1.type.id] = $1.type.name }
        let known = ids.subtracting(fresh.map(\.id)).sorted()
        return Need(fresh: fresh, known: known.map { ($0, names[$0] ?? $0) })
    }

    /// Takes note of what became of the needed types.
    func settle(_ need: Need, _ replaced: [String: EventType]) {
        let settled = Set(need.fresh.map(\.id))
        missing.removeAll { settled.contains($0.id) }
        created += need.fresh.filter { replaced[$0.id] == nil }.map(\.name)
        if replaced.isEmpty { return }
        for (folded, list) in types { types[folded] = list.map { replaced[$0.id] ?? $0 } }
        for (name, answer) in answers {
            if let type = replaced[answer.type.id] { answers[name] = (type, answer.folded) }
        }
    }

    /// Types that a transaction needs.
    struct Need: Sendable {
        /// Types to make.
        var fresh: [EventType]
        /// Types that are there already, with their names.
        var known: [(id: String, name: String)]

        /// Makes the types that are missing, and makes sure of the others.
        ///
        /// - Returns: Types that others have made in the meantime, by the ids of those that are not needed then.
        func store(in writes: LocalWrites) throws -> [String: EventType] {
            for type in known { try writes.require(EventType.self, id: type.id, named: type.name) }
            if fresh.isEmpty { return [:] }
            var replaced: [String: EventType] = [:]
            let present = try writes.fetch(EventType.self)
            for type in fresh {
                let folded = type.name.lowercased()
                if let other = present.first(where: { $0.name.lowercased() == folded }) {
                    replaced[type.id] = other
                } else {
                    try writes.create(type)
                }
            }
            return replaced
        }
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
