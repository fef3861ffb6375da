public import TrendyDomain

/// What a write did to one record, so that a caller can take it back later; see ``LocalWrites/changes``.
public enum LocalChange: Sendable {
    /// The record was made.
    case created(any SyncEntity)
    /// The record was changed from the one version to the other.
    case updated(any SyncEntity, to: any SyncEntity)
    /// The record was deleted, by itself or with its parent.
    case deleted(any SyncEntity)
}

/// Collects what the writes of one save do.
final class LocalChanges {
    private(set) var all: [LocalChange] = []

    func add(_ change: LocalChange) {
        all.append(change)
    }
}
