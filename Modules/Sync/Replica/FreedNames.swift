package import TrendyDomain

/// Changes that the server refused because another record had their name.
///
/// That record can get another name or be deleted. Then nothing is wrong with the change any more, so it is sent again by
/// itself.
struct FreedNames {
    let replica: Replica

    /// Queues those of some kinds again whose name no other record has on the server, as far as is known here.
    ///
    /// - Parameter kinds: The kinds of records of which something has changed on the server.
    /// - Returns: Whether there were any.
    func reopen(_ kinds: Set<EntityType>) throws -> Bool {
        var isAnyOpened = false
        for type in replica.schema.types where kinds.contains(type.entityType) && !type.naturalKey.isEmpty {
            let parked = MutationQuery(states: [.parked], entityType: type.entityType)
            let refused = try replica.store.fetchMutations(parked).filter { $0.isRefused(forNameOf: type) }
            if refused.isEmpty { continue }
            let ids = try replica.store.unmarkedIds(type.entityType, after: nil, limit: .max)
            let there = try replica.load(type, ids).values.compactMap { copy -> (id: String, name: NaturalKey)? in
                guard case .document(let document, _) = copy.record.base else { return nil }
                return NaturalKey(of: type, in: document).map { (copy.key.id, $0) }
            }
            for mutation in refused {
                let copy = try replica.load(type, mutation.entityId)
                guard let wanted = copy.record.name(at: mutation.clientRequestId, type),
                    !there.contains(where: { $0.name == wanted && $0.id != copy.key.id })
                else { continue }
                try reopen(mutation, copy)
                isAnyOpened = true
            }
        }
        return isAnyOpened
    }

    /// Its attempts are counted anew: those before were refused because of the name, and not because a server failed on it.
    private func reopen(_ mutation: PendingMutation, _ copy: LocalCopy) throws {
        var (copy, record) = (copy, copy.record)
        copy.mutations[mutation.clientRequestId]?.attempts = 0
        copy.mutations[mutation.clientRequestId]?.lastError = nil
        for index in record.operations.indices where record.operations[index].key == mutation.clientRequestId {
            record.operations[index].isParked = false
        }
        try replica.save(copy, as: record)
    }
}

extension OpenRecord {
    /// The name that an operation gives the record, or leaves it.
    fileprivate func name(at key: String, _ type: any SyncEntity.Type) -> NaturalKey? {
        guard let index = operations.firstIndex(where: { $0.key == key }) else { return nil }
        return base.fold(operations[...index], shape).document.flatMap { NaturalKey(of: type, in: $0) }
    }
}

extension PendingMutation {
    /// Whether the server refused it because another record has the name.
    package func isRefused(forNameOf type: any SyncEntity.Type) -> Bool {
        guard let reason = parkReason, reason.code == .rejected, !reason.fields.isEmpty else { return false }
        return reason.fields.allSatisfy { $0.code == FieldError.duplicate && type.naturalKey.contains($0.field) }
    }
}
