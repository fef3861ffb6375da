/// A store of past syncs that a user interface reads, beside the list that the engine keeps in the device's store.
///
/// An engine with such a store tells it of each sync as it ends, in the order of the syncs.
public protocol SyncHistoryStore: Sendable {
    /// Takes in a sync that has ended.
    func append(_ entry: SyncHistoryEntry) async
}
