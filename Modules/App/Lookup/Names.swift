import TrendyDomain

/// Rules for the names of types, places and keys of properties.
enum Names {
    /// The name without blanks around it.
    static func trimmed(_ text: String) -> String {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// Refuses a name that another record has, whatever its case.
    static func requireFree<Entity: SyncEntity>(
        _ name: String, among records: [Entity], but id: String? = nil, by key: (Entity) -> String
    ) throws {
        let folded = name.lowercased()
        guard let other = records.first(where: { $0.id != id && key($0).lowercased() == folded }) else { return }
        let kind = Entity.entityType.displayName
        throw CommandFailure.data("there is already the \(kind) '\(key(other))'; choose another name")
    }
}
