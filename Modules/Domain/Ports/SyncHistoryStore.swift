/// A store of past syncs that a user interface reads, beside the list that the engine keeps in the device's store.
///
/// An engine that was given one tells it of each sync as it ends, in the order of the syncs.
public protocol SyncHistoryStore: Sendable {
    /// Takes in how a sync went.
    func append(_ entry: SyncHistoryEntry) async
}
