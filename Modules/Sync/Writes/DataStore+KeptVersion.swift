import TrendyDomain

extension DataStoreProtocol {
    /// The version of a record that the server has although it was deleted and made anew here, because the deletion was
    /// given up; nil where it has none.
    func versionKept<Entity: SyncEntity>(of type: Entity.Type, before create: PendingMutation) throws -> Remote<Entity>?
    {
        let deletions = MutationQuery(
            entityType: Entity.entityType, operations: [.delete], entityId: create.entityId)
        guard let last = try fetchMutations(deletions).last(where: { $0.id < create.id }), last.state == .dropped,
            let kept = last.base.flatMap({ try? WireCoding.decode(Remote<Entity>.self, from: $0) })
        else { return nil }
        return kept.server == ServerFields() ? nil : kept
    }
}
