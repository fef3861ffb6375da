import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

// What was looked up before a write can be gone, or taken, when the write begins: other processes write too.
// These checks are made within the write.

extension LocalWrites {
    /// Refuses to go on where a record that was named before has been deleted since.
    func require<Entity: SyncEntity>(_ type: Entity.Type, id: String?, named name: String) throws {
        guard let id else { return }
        guard try find(type, id: id) != nil else { throw CommandFailure.gone(type, name) }
    }

    /// Refuses a name that another record has, whatever its case.
    func requireFree<Entity: SyncEntity>(
        _ name: String, but id: String? = nil, by key: (Entity) -> String, where condition: FieldCondition? = nil
    ) throws {
        try Names.requireFree(name, among: try fetch(Entity.self, where: condition), but: id, by: key)
    }

    /// Makes the changes that lead from one version of a record to another, on the version that is stored now.
    func change<Entity: SyncEntity>(_ before: Entity, to after: Entity, named name: String) throws {
        guard let present = try find(Entity.self, id: before.id) else { throw CommandFailure.gone(Entity.self, name) }
        if present == before { return try update(after) }
        try update(try Patch(from: before, to: after).applied(to: present))
    }
}

extension CommandFailure {
    /// A record was deleted while the command was at work.
    static func gone<Entity: SyncEntity>(_ type: Entity.Type, _ name: String) -> CommandFailure {
        .data("the \(Entity.entityType.displayName) '\(name)' was deleted in the meantime; nothing was changed")
    }
}
