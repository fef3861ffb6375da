import TrendyDomain

// A look before a create goes again that the server may have under another key.
extension SingleSender {
    /// Looks for the record of a create. Answers whether it is missing, so that the create is to be sent.
    func isMissing(_ mutation: PendingMutation, _ entity: Entity) async throws -> Bool {
        switch try await check.get(entity.id) {
        case .failure(let refusal):
            try wait(mutation, refusal)
            return false
        case .success(let known?):
            try arrived(mutation, known)
            return false
        case .success(nil):
            break
        }
        switch try await push.deletions.fate(of: [mutation]) {
        case .unknown(let reason):
            // The pull, or a full resync, gives a place in the feed from which the next cycle can tell.
            push.heldRecords.insert(RecordKey(mutation))
            try settle { try $0.recordAttempt(mutation, error: reason) }
            return false
        case .taken(let creates):
            let ending = try ending(of: mutation, entity, isDeleted: !creates.isEmpty)
            let goesAgain = try cycle.write { try end(mutation, ending, in: $0) }
            if !goesAgain { try holdWhereParked(mutation) }
            return goesAgain
        }
    }

    private func ending(of mutation: PendingMutation, _ entity: Entity, isDeleted: Bool) throws -> Ending? {
        // It may have gone with its parent: made again, it would go at once, or give way to what is newer.
        if let later = try cycle.read({ try cycle.settler(on: $0).successor(of: mutation) }) {
            return .coveredBy(later)
        }
        // It was taken, and deleted elsewhere since: creating it again would bring it back.
        if isDeleted { return .deleted }
        return try push.deletions.lostParent(of: mutation, entity).map { .goneWith($0) }
    }

    /// Answers whether the create is to be sent.
    private func end(
        _ mutation: PendingMutation, _ ending: Ending?, in store: any DataStoreProtocol
    ) throws -> Bool {
        // The person may have given it up meanwhile.
        guard var known = try store.findMutation(id: mutation.id), known.state.isUnsent else { return false }
        switch ending {
        case .deleted:
            try cycle.applier(on: store).delete(Entity.self, id: known.entityId, feedWillTell: true)
        case .coveredBy(let later):
            try cycle.settler(on: store).cover(known, by: later)
        case .goneWith(let parent):
            try cycle.applier(on: store).delete(Entity.self, id: known.entityId, cause: .cascaded(parent))
        case nil:
            known.state = .sending
            known.batchKey = nil
            // From here on the server may have it as it is.
            known.lastAttemptAt = known.lastAttemptAt ?? cycle.wallClock.now()
            try store.updateMutation(known)
            return true
        }
        return false
    }
}

/// What became of a create whose record the server does not have, where it is not to go again.
private enum Ending {
    case deleted
    case coveredBy(PendingMutation)
    case goneWith(ParentReference)
}
