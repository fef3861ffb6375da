import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Finds the records that a person names.
struct RecordLookup {
    let reader: StoreReader

    // MARK: Events

    /// The word for the event that was logged last; no id has these letters.
    static let lastEvent = "last"

    /// The event with this id or end of an id; for "last" the event that was logged last.
    func event(_ text: String) throws -> LocalRecord<Event> {
        if text.lowercased() == Self.lastEvent { return try newestEvent() }
        return try byId(Event.self, text) { "see 'trendy list'" }
    }

    /// The event that was logged last, by the time in its id.
    private func newestEvent() throws -> LocalRecord<Event> {
        let id = try reader.newestIds(of: .event, limit: 1).first
        guard let id, let record = try reader.find(Event.self, id: id) else {
            throw CommandFailure.data("there are no events yet; log one with 'trendy log TYPE'")
        }
        return record
    }

    // MARK: Types

    /// The type with that name, alias or id, or with a unique beginning of a name.
    ///
    /// - Parameter inFull: True if the beginning of a name is not enough, because the type itself is changed.
    func type(_ text: String, inFull: Bool = false) throws -> LocalRecord<EventType> {
        let types = try reader.fetch(EventType.self)
        if let found = try named(text, among: types, by: \.entity.name) { return found }
        if let id = try TypeAliases.load(reader).typeId(text), let found = types.first(where: { $0.id == id }) {
            return found
        }
        if !inFull, let found = try Self.beginning(text, among: types) { return found }
        throw UnknownType(text, among: types.map(\.entity.name) + (try TypeAliases.load(reader).all))
    }

    /// The types whose names are the same as the text. There are several only where they were made when names were
    /// compared by another rule, or on a server that compares them as they are spelt.
    func types(named text: String) throws -> [LocalRecord<EventType>] {
        let key = NameKey(text)
        return try reader.fetch(EventType.self).filter { NameKey($0.entity.name) == key }
    }

    private static func beginning(
        _ text: String, among types: [LocalRecord<EventType>]
    ) throws -> LocalRecord<EventType>? {
        let beginning = NameKey(text).text
        let found = types.filter { NameKey($0.entity.name).text.hasPrefix(beginning) }
        guard found.count > 1, !beginning.isEmpty else { return beginning.isEmpty ? nil : found.first }
        let names = found.map(\.entity.name).sorted().prefix(5).joined(separator: ", ")
        throw CommandFailure.data("'\(text)' can mean several types: \(names); write more of the name")
    }

    /// Whether the text is the full name of a type.
    func hasType(named text: String) throws -> Bool {
        let key = NameKey(text)
        return try reader.fetch(EventType.self).contains {
            NameKey($0.entity.name) == key || ShortId.names(text, $0.id)
        }
    }

    // MARK: Places

    /// The place with that name or id.
    func place(_ text: String) throws -> LocalRecord<Geofence> {
        let places = try reader.fetch(Geofence.self)
        if let found = try named(text, among: places, by: \.entity.name) { return found }
        let near = Suggestion.nearest(to: text, among: places.map(\.entity.name))
        let hint = near.map { "did you mean '\($0)'?" } ?? "see 'trendy place list'"
        throw CommandFailure.data("there is no place '\(text)'; \(hint)")
    }

    // MARK: Properties

    /// The property definitions of a type, in their order.
    func properties(of typeId: String) throws -> [LocalRecord<PropertyDefinition>] {
        try reader.fetch(PropertyDefinition.self, where: FieldCondition("event_type_id", equals: typeId))
            .sorted { ($0.entity.displayOrder, $0.entity.key) < ($1.entity.displayOrder, $1.entity.key) }
    }

    /// The property of a type with that key or id.
    func property(_ text: String, of type: EventType) throws -> LocalRecord<PropertyDefinition> {
        let all = try properties(of: type.id)
        if let found = try named(text, among: all, by: \.entity.key) { return found }
        let keys = all.map(\.entity.key)
        let near = Suggestion.nearest(to: text, among: keys).map { "; did you mean '\($0)'?" } ?? ""
        let present = keys.isEmpty ? "none" : keys.joined(separator: ", ")
        throw CommandFailure.data("the type '\(type.name)' has no property '\(text)'; it has \(present)\(near)")
    }

    /// - Parameter value: The value, which suggests a kind for the property; nil for none.
    static func unknownProperty(
        _ key: String, of type: EventType, among keys: [String], for value: String? = nil
    ) -> String {
        let kind = value.map { PropertyType(fitting: $0, key: key) } ?? .text
        let near = Suggestion.nearest(to: key, among: keys)
        let hint =
            near.map { "did you mean '\($0)'?" }
            ?? Assignment.obstacle(to: key)
            ?? "define it with 'trendy prop add \(quoted(type.name)) \(quoted(key)) --kind \(kind)'"
        return "the type '\(type.name)' has no property '\(key)'; \(hint)"
    }

    // MARK: Names and ids

    /// The record with that name, as it is spelt or else by its ``NameKey``, or with that id.
    private func named<Entity: SyncEntity>(
        _ text: String, among records: [LocalRecord<Entity>], by name: (LocalRecord<Entity>) -> String
    ) throws -> LocalRecord<Entity>? {
        let exact = try withOwnName(records.filter { name($0) == text })
        if let found = try Self.only(exact, text, name) { return found }
        let key = NameKey(text)
        let same = try withOwnName(records.filter { NameKey(name($0)) == key })
        if let found = try Self.only(same, text, name) { return found }
        if let exact = records.first(where: { $0.id == text }) { return exact }
        return try Self.only(records.filter { ShortId.names(text, $0.id) }, text, name)
    }

    /// Of several records with one name those to which the server has not refused it. The name belongs to another record
    /// until a person decides.
    private func withOwnName<Entity: SyncEntity>(_ records: [LocalRecord<Entity>]) throws -> [LocalRecord<Entity>] {
        guard records.count > 1 else { return records }
        let parked = try reader.mutations(MutationQuery(states: [.parked], entityType: Entity.entityType))
        let refused = Set(parked.filter { $0.isRefused(forNameOf: Entity.self) }.map(\.entityId))
        return records.filter { !refused.contains($0.id) }
    }

    private static func only<Entity: SyncEntity>(
        _ found: [LocalRecord<Entity>], _ text: String, _ name: (LocalRecord<Entity>) -> String
    ) throws -> LocalRecord<Entity>? {
        guard found.count > 1 else { return found.first }
        let list = found.prefix(5).map { "\(name($0)) (\($0.id))" }.joined(separator: ", ")
        throw CommandFailure.data(
            "'\(text)' can mean several: \(list); give the whole id; 'trendy doctor' says how to join them")
    }

    private func byId<Entity: SyncEntity>(
        _ type: Entity.Type, _ text: String, hint: () -> String
    ) throws -> LocalRecord<Entity> {
        if let exact = try reader.find(type, id: text) { return exact }
        let kind = Entity.entityType.displayName
        let ids =
            text.utf8.count < ShortId.minimum
            ? [] : try reader.ids(of: Entity.entityType, endingWith: text, limit: 6)
        guard !ids.isEmpty || ShortId.isPossible(text) else {
            let near = try nearestId(to: text, of: type).map { "did you mean '\($0)'?" }
            throw CommandFailure.data(
                "'\(text)' is not an id of an \(kind): give the whole id or at least its last \(ShortId.minimum) "
                    + "characters; \(near ?? hint())")
        }
        guard let id = ids.first else {
            let near = try nearestId(to: text, of: type).map { "did you mean '\($0)'?" }
            throw CommandFailure.data("there is no \(kind) '\(text)'; \(near ?? hint())")
        }
        guard ids.count == 1 else {
            let list = ids.prefix(5).joined(separator: ", ") + (ids.count > 5 ? ", …" : "")
            throw CommandFailure.data("'\(text)' can mean several \(kind)s: \(list); give more of the id")
        }
        guard let record = try reader.find(type, id: id) else {
            throw CommandFailure.data("there is no \(kind) '\(text)'; \(hint())")
        }
        return record
    }

    /// The most similar id among the newest records.
    private func nearestId<Entity: SyncEntity>(to text: String, of type: Entity.Type) throws -> String? {
        ShortId.nearest(to: text, among: try reader.newestIds(of: Entity.entityType, limit: 2_000))
    }
}
