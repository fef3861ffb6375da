import TrendyDomain
import TrendySync

/// Gives a type short names, or takes them from it.
struct AliasChange {
    let added: [String]
    let cleared: [String]

    /// - Throws: ``CommandFailure`` where a name means something else already, or is none of this type.
    func apply(to type: EventType, in writes: LocalWrites) throws {
        if added.isEmpty && cleared.isEmpty { return }
        var aliases = try TypeAliases.load(writes)
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
    }

    private func requireFree(
        _ alias: String, for type: EventType, among types: [EventType], _ aliases: TypeAliases
    ) throws {
        if let other = types.first(where: { $0.id != type.id && $0.name.lowercased() == alias.lowercased() }) {
            throw CommandFailure.data("'\(alias)' is the name of the type '\(other.name)'; choose another alias")
        }
        if let id = aliases.typeId(alias), id != type.id, let other = types.first(where: { $0.id == id }) {
            throw CommandFailure.data(
                "'\(alias)' is an alias of the type '\(other.name)'; take it away there with 'trendy type edit \(quoted(other.name)) --clear-alias \(quoted(alias))' first"
            )
        }
    }
}
