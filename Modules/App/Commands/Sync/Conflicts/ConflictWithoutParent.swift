import TrendyData
import TrendyDomain
import TrendyTerminal

extension ConflictLookup {
    /// What to tell where a record cannot be restored because one that it belongs to was deleted.
    func failure(toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String) throws
        -> CommandFailure
    {
        let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
        let fact = "the \(record) cannot be without its \(parent.displayName), which was deleted"
        return .data("\(fact): \(try help(toRestore: conflict, without: parent, parentId))")
    }

    private func help(
        toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String
    ) throws -> String {
        let id = ShortId.of(conflict.id)
        let dismiss = "'trendy conflicts dismiss \(id)'"
        if let other = try all().first(where: { $0.entityType == parent && $0.entityId == parentId }) {
            return "'trendy conflicts show \(ShortId.of(other.id))' tells how to bring that back first, "
                + "\(dismiss) leaves this one deleted"
        }
        let field = EntitySchema.trendy.type(for: conflict.entityType)?.parents
            .first { $0.entityType == parent && $0.onDelete == .cascade }?.field
        guard let change = try refusedChange(of: conflict), let field else {
            return "'trendy conflicts show \(id)' shows what it holds, \(dismiss) leaves it deleted"
        }
        return "'trendy queue edit \(change) \(field)=NAME' gives it another, then 'trendy queue retry \(change)' "
            + "puts it back, \(dismiss) lets it go"
    }

    /// The change of the record that waits for the person and can be edited; nil where the record is not here.
    private func refusedChange(of conflict: SyncConflict) throws -> Int64? {
        guard try LostParents(context: context).isHere(conflict.entityType, conflict.entityId) else { return nil }
        let query = MutationQuery(
            states: [.parked], entityType: conflict.entityType, operations: [.create, .update],
            entityId: conflict.entityId, limit: 1)
        return try context.reader.mutations(query).first?.id
    }
}
