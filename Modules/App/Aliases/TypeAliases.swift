import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The aliases of types on this device.
struct TypeAliases: Codable, Sendable, Hashable {
    /// The key of the store's metadata.
    static let key = "app.aliases"

    /// The ids of the types by their aliases in lower case.
    private var types: [String: String] = [:]

    static func load(_ reader: StoreReader) throws -> TypeAliases {
        try TypeAliases(text: reader.metadata(key), ids: reader.presentIds())
    }

    static func load(_ writes: LocalWrites) throws -> TypeAliases {
        try TypeAliases(text: writes.metadata(key), ids: writes.presentIds())
    }

    /// - Parameters:
    ///   - text: The stored text; nil for no aliases.
    ///   - ids: The present ids of the types that it names. They are read only if there are aliases.
    init(text: String?, ids: @autoclosure () throws -> PresentIds) throws {
        guard let text else { return }
        self = try WireCoding.decode(TypeAliases.self, from: .init(text.utf8))
        let present = try ids()
        types = types.mapValues { present.present($0, of: .eventType) }
    }

    func save(in writes: LocalWrites) throws {
        try writes.setMetadata(Self.key, String(decoding: try WireCoding.encode(self), as: UTF8.self))
    }

    /// The id of the type with an alias.
    func typeId(_ alias: String) -> String? {
        if let exact = types[alias.lowercased()] { return exact }
        let key = NameKey(alias)
        return types.first { NameKey($0.key) == key }?.value
    }

    /// The sorted aliases of a type.
    func aliases(of typeId: String) -> [String] { types.filter { $0.value == typeId }.keys.sorted() }

    /// All aliases, sorted.
    var all: [String] { types.keys.sorted() }

    mutating func add(_ alias: String, for typeId: String) { types[alias.lowercased()] = typeId }

    mutating func remove(_ alias: String) {
        let key = NameKey(alias)
        types = types.filter { NameKey($0.key) != key }
    }

    init(from decoder: any Decoder) throws { types = try decoder.singleValueContainer().decode([String: String].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(types)
    }
}

/// Adds aliases to a type, or removes them.
struct AliasChange {
    let added: [String]
    let cleared: [String]

    /// - Returns: The changes in words; empty for none.
    /// - Throws: ``CommandFailure`` if an alias has another meaning, or does not belong to the type.
    func apply(to type: EventType, in writes: LocalWrites) throws -> String {
        if added.isEmpty && cleared.isEmpty { return "" }
        var aliases = try TypeAliases.load(writes)
        let before = Set(aliases.aliases(of: type.id))
        let types = try writes.fetch(EventType.self)
        for alias in cleared {
            guard aliases.typeId(alias) == type.id else {
                let own = aliases.aliases(of: type.id)
                let near = Suggestion.nearest(to: alias, among: own).map { "did you mean '\($0)'?" }
                let hint = near ?? (own.isEmpty ? "it has none" : "it has \(own.joined(separator: ", "))")
                throw CommandFailure.data("the type '\(type.name)' has no alias '\(alias)'; \(hint)")
            }
            aliases.remove(alias)
        }
        for alias in added {
            try requireFree(alias, for: type, among: types, aliases)
            aliases.add(alias, for: type.id)
        }
        try aliases.save(in: writes)
        let after = Set(aliases.aliases(of: type.id))
        return Self.text("alias", after.subtracting(before)) + Self.text("removed alias", before.subtracting(after))
    }

    private static func text(_ word: String, _ aliases: Set<String>) -> String {
        aliases.isEmpty ? "" : "; \(word) \(aliases.sorted().joined(separator: ", "))"
    }

    private func requireFree(
        _ alias: String, for type: EventType, among types: [EventType], _ aliases: TypeAliases
    ) throws {
        let key = NameKey(alias)
        if CommandTree.names.contains(key.text) {
            throw CommandFailure.data(
                "'\(alias)' is a command, so 'trendy \(key.text)' would not log \(type.name); choose another alias"
            )
        }
        if NameKey(type.name) == key {
            throw CommandFailure.data("'\(alias)' is already the name of the type; choose another alias")
        }
        if let other = types.first(where: { $0.id != type.id && NameKey($0.name) == key }) {
            throw CommandFailure.data("'\(alias)' is the name of the type '\(other.name)'; choose another alias")
        }
        try aliases.requireNoOther(alias, than: type.id, among: types)
    }
}

extension TypeAliases {
    /// Refuses a word that is the alias of another type.
    func requireNoOther(_ word: String, than id: String? = nil, among types: [EventType]) throws {
        guard let owner = typeId(word), owner != id, let other = types.first(where: { $0.id == owner }) else { return }
        throw CommandFailure.data(
            "'\(word)' is an alias of the type '\(other.name)'; remove it with 'trendy type edit \(quoted(other.name)) --clear-alias \(quoted(word))' first"
        )
    }
}

extension LocalWrites {
    /// Refuses a name that is the name or an alias of another type.
    func requireFreeTypeName(_ name: String, but id: String? = nil) throws {
        let types = try fetch(EventType.self)
        try Names.requireFree(name, among: types, but: id, by: \.name)
        try TypeAliases.load(self).requireNoOther(name, than: id, among: types)
    }
}
