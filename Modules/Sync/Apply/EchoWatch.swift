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
        for mutation in try shown(by: entry) { try clear(mutation) }
    }

    /// The awaited mutations that the feed has shown with this entry.
    func shown(by entry: ChangeEntry) throws -> [PendingMutation] {
        let query = MutationQuery(
            states: [.accepted], entityType: entry.entityType, operations: [.update, .delete], entityId: entry.entityId)
        let awaited = try store.fetchMutations(query).filter { $0.answer?.awaitsEcho == true }
        // Changes of a record are sent in their order: what shows one of them has those before it in it.
        guard let last = try awaited.last(where: { try isEcho(entry, of: $0) }) else { return [] }
        return awaited.filter { $0.id <= last.id }
    }

    /// Whether the feed shows a deletion that was made here, of a record that was made anew here since.
    func isOvertakenHere(_ entry: ChangeEntry) throws -> Bool {
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: entry.entityType,
            operations: [.create, .delete], entityId: entry.entityId)
        let lives = try store.fetchMutations(query)
        guard let echo = lives.first(where: { $0.operation == .delete && $0.answer?.awaitsEcho == true }) else {
            return false
        }
        return lives.contains { $0.operation == .create && $0.id > echo.id }
    }

    /// Whether a version is no newer than what the server has answered to changes from before the record was made anew
    /// here, where that is still open: the server can have taken it only afterwards.
    func isBeforeRebirth<Entity: SyncEntity>(_ remote: Remote<Entity>) throws -> Bool {
        guard let shown = remote.server.updatedAt else { return false }
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: Entity.entityType,
            operations: [.create, .update], entityId: remote.id)
        let changes = try store.fetchMutations(query)
        guard let rebirth = changes.last(where: { $0.operation == .create && $0.state != .accepted }) else {
            return false
        }
        return changes.contains { change in
            guard change.id < rebirth.id, change.state == .accepted, let answer = change.answer,
                answer.entityId == remote.id, let answered = answer.updatedAt
            else { return false }
            return shown <= answered
        }
    }

    /// Notes that a listing shows a record: edits that the server had accepted by then are in what it shows.
    func saw<Entity: SyncEntity>(listed remote: Remote<Entity>) throws {
        let data = try WireCoding.decode(JSONValue.self, from: encoded(remote))
        let type = Entity.entityType
        try saw(ChangeEntry(id: 0, entityType: type, operation: .update, entityId: remote.id, data: data))
    }

    /// Begins the watch for an accepted update or deletion.
    func begin(_ mutation: PendingMutation) throws {
        try store.putDocument(AwaitedEcho(id: String(mutation.id)))
    }

    /// Whether the feed has not shown all accepted changes yet.
    var awaitsAny: Bool { get throws { try store.countDocuments(AwaitedEcho.self) > 0 } }

    /// Ends the watch for all: the whole feed has been read, or everything was fetched anew.
    func endAll() throws {
        for awaited in try store.fetchDocuments(AwaitedEcho.self) {
            guard let id = Int64(awaited.id), let mutation = try store.findMutation(id: id) else { continue }
            try clear(mutation)
        }
    }

    private func isEcho(_ entry: ChangeEntry, of mutation: PendingMutation) throws -> Bool {
        if mutation.operation == .delete { return try entry.operation == .delete && !endsFormerLife(entry, mutation) }
        guard let fields = entry.data?.objectValue else { return entry.operation == .delete }
        if let answered = mutation.answer?.updatedAt,
            let shown = fields[ServerFields.CodingKeys.updatedAt.rawValue]?.stringValue.flatMap(Timestamp.init),
            shown != answered
        {
            return shown > answered
        }
        // Without times, or within one millisecond, what is shown has to tell.
        let patch = try WireCoding.decode([String: JSONValue].self, from: mutation.payload ?? Data("{}".utf8))
        return patch.allSatisfy { (fields[$0.key] ?? .null) == $0.value }
    }

    /// Whether the feed shows an earlier deletion than the one that is awaited: the record was made anew between them.
    private func endsFormerLife(_ entry: ChangeEntry, _ deletion: PendingMutation) throws -> Bool {
        guard let end = entry.deletedAt ?? entry.createdAt else { return false }
        let creations = MutationQuery(
            states: [.accepted], entityType: deletion.entityType, operations: [.create], entityId: deletion.entityId)
        return try store.fetchMutations(creations).contains { creation in
            guard creation.id < deletion.id, let birth = creation.answer?.updatedAt else { return false }
            // Within one moment of the server's clock it may be either: who waits on hides no more than the feed's rest.
            return end <= birth
        }
    }

    private func clear(_ mutation: PendingMutation) throws {
        var heard = mutation
        heard.answer?.awaitsEcho = false
        try store.updateMutation(heard)
        try store.deleteDocument(AwaitedEcho.self, id: String(mutation.id))
    }
}

/// Names an accepted mutation that the feed has not shown yet, so that all of them are found at once.
private struct AwaitedEcho: StoredDocument {
    static let collection = "echo"
    var id: String
}
