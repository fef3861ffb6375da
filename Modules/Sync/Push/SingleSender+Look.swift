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
            let lost = try push.deletions.lostParent(of: mutation, entity)
            let isToGo = try cycle.write { store in
                try goesAgain(mutation, isDeleted: !creates.isEmpty, without: lost, in: store)
            }
            if !isToGo { try holdWhereParked(mutation) }
            return isToGo
        }
    }

    /// Whether a create whose record is missing is to be sent. Settles one that is not.
    private func goesAgain(
        _ mutation: PendingMutation, isDeleted: Bool, without parent: ParentReference?,
        in store: any DataStoreProtocol
    ) throws -> Bool {
        // The person may have given it up meanwhile.
        guard var known = try store.findMutation(id: mutation.id), known.state.isUnsent else { return false }
        let settler = try cycle.settler(on: store)
        if let later = try settler.successor(of: known) {
            // It may have gone with its parent: made again, it would go at once, or give way to what is newer.
            try settler.cover(known, by: later)
            return false
        }
        if isDeleted {
            // It was taken, and deleted elsewhere since: creating it again would bring it back.
            try cycle.applier(on: store).delete(Entity.self, id: known.entityId, feedWillTell: true)
            try settler.letGo(ofMissing: known)
            return false
        }
        if let parent {
            try cycle.applier(on: store).delete(Entity.self, id: known.entityId, cause: .cascaded(parent))
            try settler.letGo(ofMissing: known)
            return false
        }
        known.state = .sending
        known.batchKey = nil
        // From here on the server may have it as it is.
        known.lastAttemptAt = known.lastAttemptAt ?? cycle.wallClock.now()
        try store.updateMutation(known)
        return true
    }
}
