import TrendyDomain

/// Stages the parents that listed records belong to and that the listing of their own kind has not shown.
///
/// A parent can be made after its kind was listed, and its children before theirs is. The pull brings it, but a pull
/// comes after the new records have taken the place of the old ones, and may be cut off: readers would see children
/// that belong to nothing.
struct ParentFetcher {
    let cycle: SyncCycle

    /// Makes sure that the parents of listed records are staged.
    ///
    /// - Returns: The records without those that the server has deleted with their parent since it listed them.
    func stageParents<Entity: SyncEntity>(of records: [Remote<Entity>]) async throws -> [Remote<Entity>] {
        var kept = records
        // Records of one kind can follow their parents on any page.
        for reference in Entity.parents
        where reference.onDelete == .cascade && reference.entityType != Entity.entityType {
            guard let parent = cycle.schema.type(for: reference.entityType) else { continue }
            let ids = try kept.map { try StringFields.of($0.entity)[reference.field] }
            let gone = try await stage(parent, Set(ids.compactMap { $0 }))
            if gone.isEmpty { continue }
            kept = zip(kept, ids).filter { _, id in id.map { !gone.contains($0) } ?? true }.map(\.0)
        }
        return kept
    }

    /// Stages the records of these ids that are not staged. Answers those that the server does not have.
    private func stage<Parent: SyncEntity>(_ type: Parent.Type, _ ids: Set<String>) async throws -> Set<String> {
        let missing = try cycle.read { store in try ids.filter { try store.findStaged(type, id: $0) == nil } }
        var gone: Set<String> = []
        for id in missing.sorted() where try await !stage(type, id) { gone.insert(id) }
        return gone
    }

    /// Stages a record. Answers whether the server may have it: one that cannot be used waits aside, and its children
    /// are here before it.
    private func stage<Parent: SyncEntity>(_ type: Parent.Type, _ id: String) async throws -> Bool {
        switch try await AnswerCheck<Parent>(cycle: cycle).get(id) {
        case .success(nil):
            return false
        case .success(let parent?) where (try? parent.entity.validateReceived()) == nil:
            return true
        case .success(let parent?):
            let whole = try await stageParents(of: [parent])
            try cycle.write { try $0.stage(whole) }
            return !whole.isEmpty
        case .failure(let refusal):
            if refusal.status == 410 { return false }
            if refusal.error.isUnreadableAnswer || !refusal.isServerFailure { return true }
            throw refusal.asStop
        }
    }
}
