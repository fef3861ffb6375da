import TrendyDomain

/// Finds the versions in a page that show a record again which was deleted here, although it stays deleted.
///
/// Somebody may have deleted and made the record anew before the deletion from here came through. The feed then shows
/// two deletions and a version between them, and no entry says whose it is: so the server is asked for the record.
struct RevivalReader {
    let cycle: SyncCycle

    /// The entries of a page that a deletion from here has overtaken, by their places in the feed.
    func overtaken(in page: ChangeFeedResponse) async throws -> Set<Int64> {
        var overtaken: Set<Int64> = []
        for (key, versions) in try revivals(in: page).sorted(by: { $0.key.entityId < $1.key.entityId }) {
            guard let type = cycle.schema.type(for: key.entityType), try await cycle.isGone(type, key.entityId)
            else { continue }
            overtaken.formUnion(versions)
        }
        return overtaken
    }

    /// The versions that follow a deletion in the feed, of records whose last word here is a deletion that went through.
    private func revivals(in page: ChangeFeedResponse) throws -> [RecordKey: Set<Int64>] {
        try cycle.read { store in
            let deletions = MutationQuery(states: [.accepted], operations: [.delete])
            if try store.countMutations(deletions) == 0 { return [:] }
            let window = try FeedWindow.stored(in: store)
            var deleted: Set<RecordKey> = []
            var revivals: [RecordKey: Set<Int64>] = [:]
            for entry in page.changes.sorted(by: { $0.id < $1.id }) where entry.hasPlace {
                let key = RecordKey(entry)
                if entry.operation == .delete {
                    deleted.insert(key)
                } else if !window.contains(entry.id),
                    try isDeletedHere(key, isHeard: deleted.contains(key), store)
                {
                    revivals[key, default: []].insert(entry.id)
                }
            }
            return revivals
        }
    }

    /// - Parameter isHeard: Whether the page has shown a deletion of the record. Until the feed has, versions of it are
    ///   older than its deletion here.
    private func isDeletedHere(
        _ key: RecordKey, isHeard: Bool, _ store: any DataStoreProtocol
    ) throws -> Bool {
        let lives = MutationQuery(
            entityType: key.entityType, operations: [.create, .delete], entityId: key.entityId)
        guard let last = try store.fetchMutations(lives).last, last.operation == .delete, last.state == .accepted
        else { return false }
        return isHeard || last.answer?.awaitsEcho == false
    }
}
