import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

// Other processes can change the store between a lookup and a write, so these checks run within the write.

extension LocalWrites {
    /// Refuses to go on if a record was deleted meanwhile.
    func require<Entity: SyncEntity>(_ type: Entity.Type, id: String?, named name: String) throws {
        guard let id else { return }
        guard try find(type, id: id) != nil else { throw CommandFailure.gone(type, name) }
    }

    /// Refuses a name that is the same as that of another record.
    func requireFree<Entity: SyncEntity>(
        _ name: String, but id: String? = nil, by key: (Entity) -> String, where condition: FieldCondition? = nil
    ) throws {
        try Names.requireFree(name, among: try fetch(Entity.self, where: condition), but: id, by: key)
    }

    /// Applies the difference between two versions of a record to the stored version.
    func change<Entity: SyncEntity>(_ before: Entity, to after: Entity, named name: String) throws {
        guard let present = try find(Entity.self, id: before.id) else { throw CommandFailure.gone(Entity.self, name) }
        if present == before { return try update(after) }
        try update(try Patch(from: before, to: after).applied(to: present))
    }
}

extension CommandFailure {
    /// The error for a record that was deleted while the command ran.
    static func gone<Entity: SyncEntity>(_ type: Entity.Type, _ name: String) -> CommandFailure {
        .data("the \(Entity.entityType.displayName) '\(name)' was deleted in the meantime; nothing was changed")
    }
}
