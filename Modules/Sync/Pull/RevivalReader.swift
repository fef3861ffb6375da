import TrendyDomain

/// Finds the versions in a page that show a record again which was deleted here, although it stays deleted.
///
/// Somebody may have deleted and made the record anew before the deletion from here came through. The feed then shows
/// two deletions and a version between them, and no entry says whose each is: so the server is asked for the record,
/// once for a record and all that is shown beneath it.
struct RevivalReader {
    let cycle: SyncCycle

    /// The entries of a page that a deletion from here has overtaken, by their places in the feed.
    ///
    /// - Parameter known: Entries that are known to be overtaken.
    func overtaken(in page: ChangeFeedResponse, besides known: Set<Int64>) async throws -> Set<Int64> {
        let versions = page.changes.filter { $0.hasPlace && $0.operation != .delete && !known.contains($0.id) }
        var gone: Set<RecordKey> = []
        for key in try revivals(in: page, versions).sorted(by: { $0.entityId < $1.entityId }) {
            guard let type = cycle.schema.type(for: key.entityType) else { continue }
            // Within one page nobody sees what comes before its last word.
            var isGone = endsDeleted(key, in: page)
            if !isGone { isGone = try await cycle.isGone(type, key.entityId) }
            if isGone { gone.insert(key) }
        }
        if gone.isEmpty { return [] }
        // What was moved elsewhere since has a later entry that says so.
        let beneath = versions.filter { !gone.isDisjoint(with: cycle.schema.requiredParents(of: $0)) }
        return Set((versions.filter { gone.contains(RecordKey($0)) } + beneath).map(\.id))
    }

    /// The records whose last word here is a deletion that went through, and that new entries show again.
    private func revivals(in page: ChangeFeedResponse, _ versions: [ChangeEntry]) throws -> Set<RecordKey> {
        if versions.isEmpty { return [] }
        return try cycle.read { store in
            let deletions = MutationQuery(states: [.accepted], operations: [.delete])
            let count = try store.countMutations(deletions)
            if count == 0 { return [] }
            let window = try FeedWindow.stored(in: store)
            var shown = Set(versions.filter { !window.contains($0.id) }.map { RecordKey($0) })
            // A hundred thousand deletions are not read for each page; what is shown is looked up one by one then.
            if count <= shown.count {
                shown.formIntersection(try store.fetchMutations(deletions).map { RecordKey($0) })
            }
            return try shown.filter { try isShownAgain($0, by: versions, in: page, store) }
        }
    }

    /// Until the feed has shown the deletion, versions of the record are older than it, and hidden by it.
    private func isShownAgain(
        _ key: RecordKey, by versions: [ChangeEntry], in page: ChangeFeedResponse, _ store: any DataStoreProtocol
    ) throws -> Bool {
        let lives = MutationQuery(
            entityType: key.entityType, operations: [.create, .delete], entityId: key.entityId)
        guard let last = try store.fetchMutations(lives).last, last.operation == .delete, last.state == .accepted
        else { return false }
        if last.answer?.awaitsEcho == false { return true }
        let deletion = page.changes.filter { $0.operation == .delete && RecordKey($0) == key }.map(\.id).min()
        return deletion.map { first in versions.contains { RecordKey($0) == key && $0.id > first } } ?? false
    }

    private func endsDeleted(_ key: RecordKey, in page: ChangeFeedResponse) -> Bool {
        page.changes.filter { RecordKey($0) == key }.max { $0.id < $1.id }?.operation == .delete
    }
}
