import Foundation
import TrendyDomain

/// What both sides did, and what of it loses.
extension RemoteApplier {
    /// Whether what loses is a reference to what was deleted here, in a version that is no news: the reference went from
    /// the record then, and is a loss to nobody.
    func namesDeleted<Entity: SyncEntity>(
        _ conflict: Rebase<Entity>.FieldConflict, _ remote: Remote<Entity>
    ) throws -> Bool {
        guard let known = try store.find(Entity.self, id: remote.id), !remote.server.isNewer(than: known.server),
            let id = conflict.remoteValue.stringValue,
            let reference = Entity.parents.first(where: { $0.field == conflict.field && $0.onDelete == .clear })
        else { return false }
        return try isDeletedHere(RecordKey(entityType: reference.entityType, entityId: id))
    }

    /// Lists a conflict, unless the same waits for the person already.
    func note<Entity: SyncEntity>(_ conflict: Rebase<Entity>.FieldConflict, of remote: Remote<Entity>) throws {
        let isListed = try store.fetchDocuments(SyncConflict.self).contains { listed in
            listed.entityId == remote.id && listed.field == conflict.field && listed.kind == .field
                && listed.localValue == conflict.localValue && listed.remoteValue == conflict.remoteValue
        }
        if isListed { return }
        try store.putDocument(
            SyncConflict(
                id: identifiers.makeId(), kind: .field, entityType: Entity.entityType, entityId: remote.id,
                field: conflict.field, localValue: conflict.localValue, remoteValue: conflict.remoteValue,
                detectedAt: wallClock.now()))
    }

    /// Lists what of a version gives way to what the server has taken from here, and changes nothing else.
    ///
    /// - Parameter heard: Mutations that the feed has shown before it: they lie beneath it.
    func noteConflicts<Entity: SyncEntity>(with remote: Remote<Entity>, after heard: Set<Int64>) throws {
        let local = try localChanges(Entity.entityType, remote.id).filter { !heard.contains($0.id) }
        if let last = local.last(where: { $0.operation != .update }), last.operation == .delete {
            return try noteEditOfDeleted(remote, last)
        }
        // The server may keep what it is told in a form of its own.
        if let known = try store.find(Entity.self, id: remote.id), known.entity == remote.entity,
            known.server.updatedAt == remote.server.updatedAt
        {
            return
        }
        // What has not been sent yet meets the version when it is taken over.
        let taken = edits(among: local, beneath: remote).filter { $0.state == .accepted }
        let rebase = try Rebase(remote: remote.entity, edits: taken, said: saidHere(in: remote))
        for conflict in rebase.conflicts where try !namesDeleted(conflict, remote) { try note(conflict, of: remote) }
        if let parent = try requiredParents(of: remote.entity).first(where: isDeletedHere) {
            try noteGone(remote, with: parent)
        }
    }

    /// Lists what a version says that the server has no more, where its record was deleted here, or went with one that was.
    func noteEditOfDeleted<Entity: SyncEntity>(_ remote: Remote<Entity>) throws {
        let key = RecordKey(entityType: Entity.entityType, entityId: remote.id)
        if let deletion = try lastWord(on: key), deletion.operation == .delete {
            try noteEditOfDeleted(remote, deletion)
        } else if let parent = try requiredParents(of: remote.entity).first(where: isDeletedHere) {
            try noteGone(remote, with: parent)
        }
    }

    /// Lists a record that others made or changed beneath one that was deleted here, and that goes with that one.
    func noteGone<Entity: SyncEntity>(_ remote: Remote<Entity>, with parent: RecordKey) throws {
        guard let deletion = try lastWord(on: parent), try store.find(Entity.self, id: remote.id) == nil,
            try !isOwn(remote)
        else { return }
        try store.putDocument(
            SyncConflict(
                id: SyncConflict.id(ofDeletion: deletion) + "-\(remote.id)", kind: .deletedHereEditedElsewhere,
                entityType: Entity.entityType, entityId: remote.id, localValue: .null,
                remoteValue: .object(try WireCoding.fields(of: remote.entity)), remoteServer: remote.server,
                detectedAt: wallClock.now()))
    }

    /// What the server was told from here in changes that it answered with the time of a version, and what it made of
    /// that: the version may be theirs.
    ///
    /// Somebody else's change can bear the same time. So this tells values, and not that the version is known; who sets a
    /// field back to such a value within that time, after others have changed it, is not heard.
    func saidHere<Entity: SyncEntity>(in remote: Remote<Entity>) throws -> [[String: JSONValue]] {
        guard let shown = remote.server.updatedAt else { return [] }
        let query = MutationQuery(
            states: [.accepted, .queued, .sending, .parked], entityType: Entity.entityType,
            operations: [.create, .update], entityId: remote.id)
        let changes = try store.fetchMutations(query)
        return changes.indices.filter { changes[$0].answer?.updatedAt == shown }.flatMap { place in
            // The next edit began from what the server made of it; of a creation the ledger keeps no more than that.
            [changes[place].fields(of: remote.id), changes[(place + 1)...].formerValues()]
        }
    }

    /// Whether a version may be what was sent from here: the answer had its time, or never came.
    func isOwn<Entity: SyncEntity>(_ remote: Remote<Entity>) throws -> Bool {
        let query = MutationQuery(
            entityType: Entity.entityType, operations: [.create, .update], entityId: remote.id)
        return try store.fetchMutations(query).contains { mutation in
            if let answer = mutation.answer { return answer.updatedAt == remote.server.updatedAt }
            return mutation.attempts > 0
        }
    }

    /// A record that was deleted here has been edited elsewhere since: the deletion stands, the edit is listed.
    func noteEditOfDeleted<Entity: SyncEntity>(_ remote: Remote<Entity>, _ deletion: PendingMutation) throws {
        guard let base = deletion.base,
            let deleted = try? WireCoding.decode(Remote<Entity>.self, from: base),
            let known = deleted.server.updatedAt, let changed = remote.server.updatedAt, changed > known,
            deleted.entity != remote.entity
        else { return }
        try store.putDocument(
            SyncConflict(
                id: SyncConflict.id(ofDeletion: deletion), kind: .deletedHereEditedElsewhere,
                entityType: Entity.entityType, entityId: remote.id, localValue: .null,
                remoteValue: .object(try WireCoding.fields(of: remote.entity)), remoteServer: remote.server,
                detectedAt: wallClock.now()))
    }
}

extension SyncConflict {
    /// The name under which it is listed that a record was edited elsewhere after this deletion.
    static func id(ofDeletion deletion: PendingMutation) -> String { "deletion-\(deletion.clientRequestId)" }
}
