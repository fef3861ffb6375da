public import TrendyDomain

/// Why a mutation or a conflict of the ledger cannot be acted on.
public enum LedgerError: Error, Sendable, Hashable {
    /// The mutation was sent without an answer, and may have arrived. Nobody can change it, and nobody can drop it
    /// while a sync is running.
    case sending(Int64)
    /// The mutation is settled, or in another state than the action needs.
    case notOpen(Int64, MutationState.Name)
    /// Only a parked mutation can be retried.
    case notParked(Int64, MutationState.Name)
    /// A deletion has no fields to change.
    case notEditable(Int64)
    /// The payload of the mutation cannot be read; it can only be dropped.
    case unreadable(Int64)
    /// There is no such conflict.
    case unknownConflict(String)
    /// The record is not on this device any more.
    case recordGone(entityType: EntityType, id: String)
    /// The record belongs to a deleted parent, and cannot be without it.
    case parentGone(entityType: EntityType, id: String, parent: EntityType, parentId: String)
    /// The kept version does not fit the record any more.
    case unusableVersion(conflict: String, reason: String)
}

extension LedgerError: CustomStringConvertible {
    /// Why the action is refused, for people to read.
    public var description: String {
        switch self {
        case .sending(let id):
            "change \(id) was sent and may have arrived; sync, then look what became of it, or drop it when no sync is "
                + "running"
        case .notOpen(let id, let state): "change \(id) is \(state.rawValue) already; nothing can be done about it here"
        case .notParked(let id, let state): "change \(id) is \(state.rawValue), not parked; there is nothing to retry"
        case .notEditable(let id): "change \(id) is a deletion, which has no fields; it can be dropped"
        case .unreadable(let id): "change \(id) cannot be read by this version; it can be dropped"
        case .unknownConflict(let id): "there is no conflict '\(id)'"
        case .recordGone(let type, let id): "the \(type.displayName) \(id) is gone from here; nothing can be restored"
        case .parentGone(let type, let id, let parent, let parentId):
            "the \(type.displayName) \(id) belongs to the \(parent.displayName) \(parentId), which was deleted; "
                + "bring that back first, or give the \(type.displayName) another"
        case .unusableVersion(let conflict, let reason):
            "what conflict '\(conflict)' keeps does not fit the record any more: \(reason)"
        }
    }
}
