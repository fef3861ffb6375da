import Foundation
import TrendyDomain

/// Follows accepted changes until the feed has shown them.
///
/// Between the acceptance of an edit and its entry in the feed, older entries of the same record may come by;
/// until the edit's own entry is seen they must not undo it, nor bring back what was deleted.
struct EchoWatch {
    let store: any DataStoreProtocol

    /// Notes that the feed shows a record at this point: edits up to there have been heard of.
    func saw(_ entry: ChangeEntry) throws {
        let query = MutationQuery(
            states: [.accepted], entityType: entry.entityType, operations: [.update, .delete], entityId: entry.entityId)
        for mutation in try store.fetchMutations(query) where mutation.answer?.awaitsEcho == true {
            if try isEcho(entry, of: mutation) { try clear(mutation) }
        }
    }

    /// Ends the watch for all: the whole feed has been read, or everything was fetched anew.
    func endAll() throws {
        let floor = try store.metadata(MetadataKey.echoFloor).flatMap { Int64($0) } ?? 0
        let query = MutationQuery(states: [.accepted], operations: [.update, .delete], afterId: floor)
        let accepted = try store.fetchMutations(query)
        for mutation in accepted where mutation.answer?.awaitsEcho == true { try clear(mutation) }
        let firstOpen = try store.fetchMutations(MutationQuery(states: [.queued, .sending, .parked], limit: 1)).first
        guard let reached = firstOpen.map({ $0.id - 1 }) ?? accepted.last?.id, reached > floor else { return }
        try store.setMetadata(MetadataKey.echoFloor, String(reached))
    }

    private func isEcho(_ entry: ChangeEntry, of mutation: PendingMutation) throws -> Bool {
        if mutation.operation == .delete { return entry.operation == .delete }
        guard let fields = entry.data?.objectValue else { return entry.operation == .delete }
        if let answered = mutation.answer?.updatedAt,
            let shown = fields[ServerFields.CodingKeys.updatedAt.rawValue]?.stringValue.flatMap(Timestamp.init)
        {
            return shown >= answered
        }
        let patch = try WireCoding.decode([String: JSONValue].self, from: mutation.payload ?? Data("{}".utf8))
        return patch.allSatisfy { (fields[$0.key] ?? .null) == $0.value }
    }

    private func clear(_ mutation: PendingMutation) throws {
        var heard = mutation
        heard.answer?.awaitsEcho = false
        try store.updateMutation(heard)
    }
}
