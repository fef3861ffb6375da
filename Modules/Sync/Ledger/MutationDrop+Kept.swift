import TrendyDomain

extension MutationDrop {
    /// Shows a record that was put back here as the server has it, beneath the edits that wait, because its deletion was
    /// given up before it left: what belongs to it stays. Answers whether the server has it.
    func goBack<Entity: SyncEntity>(_ record: LocalRecord<Entity>, without create: PendingMutation) throws -> Bool {
        guard !create.isParkedAsDeletedElsewhere, let deleted = try versionKept(of: Entity.self, before: create)
        else { return false }
        if record.server == ServerFields() {
            guard let entity = try? ledger.withLivingParents(deleted.entity) else { return false }
            let version = Remote(entity, server: deleted.server)
            try store.upsert(LocalRecord(version.entity, server: version.server, syncStatus: .synced))
            try layEdits(over: version)
        }
        // Otherwise the feed has shown it since, and it is here as it was shown.
        try ledger.removeConflicts(of: Entity.entityType, record.id)
        try ledger.refreshStatus(Entity.self, record.id)
        summary.asksFullResync = true
        return true
    }

    /// The version of a record that the server has although it was deleted and made anew here; nil where it has none, or
    /// nobody knows.
    private func versionKept<Entity: SyncEntity>(
        of type: Entity.Type, before create: PendingMutation
    ) throws -> Remote<Entity>? {
        let lives = MutationQuery(
            states: [.queued, .sending, .accepted, .parked, .dropped], entityType: Entity.entityType,
            operations: [.create, .delete], entityId: create.entityId)
        for former in try store.fetchMutations(lives).reversed() where former.id < create.id {
            // What was made or deleted after the version says more than it.
            guard former.operation == .delete, former.state == .dropped, !former.hasLeft else { return nil }
            guard let base = former.base, let deleted = try? WireCoding.decode(Remote<Entity>.self, from: base)
            else { return nil }
            // Of what was made anew and deleted once more the server had not heard.
            if deleted.server != ServerFields() { return deleted }
        }
        return nil
    }
}
