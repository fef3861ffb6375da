import TrendyDomain

/// Reads the stretch of the feed that a listing may have shown already.
///
/// A change there of a record that is not here is one of two: it appeared late and no listing has shown it, or the
/// record has been deleted since. The feed tells, or else the server, which is asked for the few that are left.
struct OverlapReader {
    let cycle: SyncCycle

    /// The entries of a page that a later deletion has overtaken, by their places in the feed.
    func overtaken(in page: ChangeFeedResponse) async throws -> Set<Int64> {
        var overtaken: Set<Int64> = []
        var asked: Set<RecordKey> = []
        for entry in try doubtful(in: page) where !overtaken.contains(entry.id) {
            let key = RecordKey(entry)
            if let deletion = lastDeletion(of: key, in: page), deletion > entry.id {
                // What follows the deletion made the record anew.
                overtaken.formUnion(versions(of: key, in: page).filter { $0 < deletion })
            } else if asked.insert(key).inserted, let type = cycle.schema.type(for: entry.entityType),
                try await cycle.isGone(type, entry.entityId)
            {
                overtaken.formUnion(versions(of: key, in: page))
            }
        }
        return overtaken
    }

    /// Changes that a listing may have shown, of records that are not here.
    private func doubtful(in page: ChangeFeedResponse) throws -> [ChangeEntry] {
        try cycle.read { store in
            let window = try FeedWindow.stored(in: store)
            guard window.listedUntil != nil else { return [] }
            let held = try store.idsPutAside()
            return try page.changes.filter { entry in
                let isRead = window.contains(entry.id) && !held.contains(QuarantinedChange.id(of: entry))
                guard window.mayBeListed(entry), !isRead, entry.operation != .delete,
                    let type = cycle.schema.type(for: entry.entityType)
                else { return false }
                return try !isHere(type, entry.entityId, store)
            }
        }
    }

    private func lastDeletion(of key: RecordKey, in page: ChangeFeedResponse) -> Int64? {
        page.changes.filter { RecordKey($0) == key && $0.operation == .delete }.map(\.id).max()
    }

    private func versions(of key: RecordKey, in page: ChangeFeedResponse) -> [Int64] {
        page.changes.filter { RecordKey($0) == key && $0.operation != .delete }.map(\.id)
    }

    private func isHere<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ store: any DataStoreProtocol
    ) throws -> Bool {
        try store.find(type, id: id) != nil
    }
}

extension SyncCycle {
    /// Whether the server does not have a record any more that the feed shows.
    func isGone<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) async throws -> Bool {
        switch try await look(type, id) {
        case .success(let record): return record == nil
        case .failure(let refusal):
            if refusal.status == 410 { return true }
            // One that cannot be read is there; one that may not be read may be.
            if refusal.error.isUnreadableAnswer || !refusal.isServerFailure { return false }
            throw refusal.asStop
        }
    }
}
