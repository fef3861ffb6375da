import Foundation
import TrendyDomain

/// Brings what a server says of a record into the store, without losing what was done here.
///
/// It works in a unit of work that the caller saves.
final class RemoteApplier {
    let store: any DataStoreProtocol
    let schema: EntitySchema
    let wallClock: any WallClock
    let identifiers: any IdentifierGenerator
    private var deletedParents: [RecordKey: Bool] = [:]
    /// Parents that are here, asked for with each answer of a batch.
    private var presentParents: Set<String> = []

    init(
        store: any DataStoreProtocol, schema: EntitySchema, wallClock: any WallClock,
        identifiers: any IdentifierGenerator
    ) {
        self.store = store
        self.schema = schema
        self.wallClock = wallClock
        self.identifiers = identifiers
    }

    /// Puts the server's version of a record in, beneath the edits that are still on their way.
    ///
    /// - Parameter answering: The mutation that the server has just taken, where this is its answer.
    /// - Returns: Whether anything here changed.
    @discardableResult
    func upsert<Entity: SyncEntity>(_ remote: Remote<Entity>, answering: PendingMutation? = nil) throws -> Bool {
        // What came before a create cannot concern its record.
        let first = answering?.operation == .create && answering?.entityId == remote.id ? answering?.id : nil
        var local = try localChanges(Entity.entityType, remote.id, after: first)
        if let deletion = local.last(where: { $0.operation != .update }), deletion.operation == .delete {
            try noteEditOfDeleted(remote, deletion)
            return false
        }
        // Only the feed and the listings tell that a record is there: an answer may be a repeated one.
        let revived = answering == nil ? local.filter(\.isParkedAsDeletedElsewhere) : []
        if !revived.isEmpty { local = local.map { $0.isParkedAsDeletedElsewhere ? $0.revived : $0 } }
        let birth = local.last { $0.operation == .create && $0.state == .accepted }?.id ?? 0
        // An edit that was moved here from another record can be older than one that the server has taken already.
        let accepted = local.filter { mutation in
            // What the server took before it made the record anew was of the former one.
            if mutation.operation == .update && mutation.id < birth { return false }
            // Changes of a record are sent in their order: the answer to one has those before it in it.
            let isAnswered = answering.map { $0.entityId == remote.id && mutation.id < $0.id } ?? false
            return mutation.state == .accepted && !isAnswered && !mutation.isIn(remote.server)
        }
        let edits = accepted + local.filter { $0.state != .accepted }
        let rebase = try Rebase(
            remote: remote.entity, edits: edits, answered: edits.isEmpty ? [:] : answering?.fields(of: remote.id) ?? [:]
        )
        if let parent = try requiredParents(of: rebase.entity).first(where: isDeletedHere) {
            return try goWithParent(parent, remote)
        }
        if answering != nil, try lacksParent(of: remote.entity),
            let known = try store.find(Entity.self, id: remote.id)
        {
            // The feed brings the parent first, and then this version once more: readers find no child without it.
            try store.setSyncStatus(Entity.self, id: known.id, status(after: local))
            return true
        }
        if !revived.isEmpty { try revive(revived, of: Entity.entityType, remote.id) }
        for mutation in rebase.rebased { try store.updateMutation(mutation) }
        for conflict in rebase.conflicts where try !namesDeleted(conflict, remote) { try note(conflict, of: remote) }
        let record = LocalRecord(rebase.entity, server: remote.server, syncStatus: status(after: local))
        if answering == nil, try store.find(Entity.self, id: remote.id) == record { return false }
        try store.upsert(record)
        // Made anew after its deletion here, it can have children again.
        deletedParents[RecordKey(entityType: Entity.entityType, entityId: remote.id)] = nil
        return true
    }

    /// Takes a record out that was moved elsewhere to one that is deleted here: on the server it goes with that one.
    ///
    /// Where an edit of it is still to be answered, it stays until then: the answer shows the same once more. Where
    /// its edits wait for the person, it stays for as long as the server still has it: what they ask is open.
    private func goWithParent<Entity: SyncEntity>(_ parent: RecordKey, _ remote: Remote<Entity>) throws -> Bool {
        guard try store.find(Entity.self, id: remote.id) != nil else { return false }
        let open = try store.openMutations(Entity.entityType, remote.id)
        if open.contains(where: { $0.state.isUnsent }) { return false }
        if !open.isEmpty, try lastWord(on: parent)?.state != .accepted {
            try store.putDocument(WaitingVersion(remote))
            return false
        }
        let reference = Entity.parents.first { $0.entityType == parent.entityType }
        return try delete(Entity.self, id: remote.id, cause: .cascaded(reference))
    }

    /// Lets the edits of a record go on that was deleted elsewhere and is there again: what the person was asked has
    /// been answered by somebody else.
    private func revive(_ edits: [PendingMutation], of entityType: EntityType, _ id: String) throws {
        for edit in edits { try store.updateMutation(edit.revived) }
        for conflict in try store.fetchDocuments(SyncConflict.self)
        where conflict.kind == .editedHereDeletedElsewhere && conflict.entityType == entityType
            && conflict.entityId == id
        {
            try store.deleteDocument(SyncConflict.self, id: conflict.id)
        }
    }

    /// A version of a record that is newer than an answer to what was sent from here; nil where none is there.
    ///
    /// A server answers what it has seen before as it did then. Its answer is no news where the feed has shown more.
    func newerVersion<Entity: SyncEntity>(than answer: Remote<Entity>) throws -> Remote<Entity>? {
        guard let record = try store.find(Entity.self, id: answer.id), record.server.isNewer(than: answer.server)
        else { return nil }
        // What lies beneath the edits is their base.
        var former: [String: JSONValue] = [:]
        for edit in try localChanges(Entity.entityType, answer.id) where edit.operation == .update {
            guard let base = try? edit.baseValues() else { continue }
            former.merge(base) { earlier, _ in earlier }
        }
        return Remote(try Patch<Entity>(changes: former).applied(to: record.entity), server: record.server)
    }

    /// The changes made here that the feed has not shown yet: open ones, and accepted ones without an echo.
    private func localChanges(
        _ entityType: EntityType, _ entityId: String, after first: Int64? = nil
    ) throws -> [PendingMutation] {
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: entityType, entityId: entityId,
            afterId: first)
        // An accepted create has no echo to wait for; it shows that a deletion before it is not the last word.
        return try store.fetchMutations(query).filter {
            $0.state != .accepted || $0.answer?.awaitsEcho == true || $0.operation == .create
        }
    }

    /// The parents that a record cannot be without.
    func requiredParents<Entity: SyncEntity>(of entity: Entity) throws -> [RecordKey] {
        let cascading = Entity.parents.filter { $0.onDelete == .cascade }
        guard !cascading.isEmpty else { return [] }
        let fields = try StringFields.of(entity)
        return cascading.compactMap { reference in
            fields[reference.field].map { RecordKey(entityType: reference.entityType, entityId: $0) }
        }
    }

    /// Whether a record belongs to one that is not here.
    func lacksParent<Entity: SyncEntity>(of entity: Entity) throws -> Bool {
        try requiredParents(of: entity).contains(where: isMissing)
    }

    private func isDeletedHere(_ key: RecordKey) throws -> Bool {
        if let known = deletedParents[key] { return known }
        let deleted = try lastWord(on: key)?.operation == .delete
        deletedParents[key] = deleted
        return deleted
    }

    /// The last creation or deletion of a record that was made here and that the feed has not shown yet.
    private func lastWord(on key: RecordKey) throws -> PendingMutation? {
        try localChanges(key.entityType, key.entityId).last { $0.operation != .update }
    }

    private func isMissing(_ key: RecordKey) throws -> Bool {
        guard let type = schema.type(for: key.entityType) else { return false }
        return try !isHere(type, key.entityId)
    }

    private func isHere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        if presentParents.contains(id) { return true }
        guard try store.find(type, id: id) != nil else { return false }
        presentParents.insert(id)
        return true
    }

    private func status(after local: [PendingMutation]) -> SyncStatus {
        if local.contains(where: { $0.state.name == .parked }) { return .failed }
        return local.contains { $0.state.isUnsent } ? .pending : .synced
    }

    // MARK: Conflicts

    /// Whether what loses is a reference to what was deleted here, in a version that is no news: the reference went from
    /// the record then, and is a loss to nobody.
    private func namesDeleted<Entity: SyncEntity>(
        _ conflict: Rebase<Entity>.FieldConflict, _ remote: Remote<Entity>
    ) throws -> Bool {
        guard let known = try store.find(Entity.self, id: remote.id), !remote.server.isNewer(than: known.server),
            let id = conflict.remoteValue.stringValue,
            let reference = Entity.parents.first(where: { $0.field == conflict.field && $0.onDelete == .clear })
        else { return false }
        return try isDeletedHere(RecordKey(entityType: reference.entityType, entityId: id))
    }

    private func note<Entity: SyncEntity>(_ conflict: Rebase<Entity>.FieldConflict, of remote: Remote<Entity>) throws {
        try store.putDocument(
            SyncConflict(
                id: identifiers.makeId(), kind: .field, entityType: Entity.entityType, entityId: remote.id,
                field: conflict.field, localValue: conflict.localValue, remoteValue: conflict.remoteValue,
                detectedAt: wallClock.now()))
    }

    /// Lists what a version says that the server has no more, where its record was deleted here.
    func noteEditOfDeleted<Entity: SyncEntity>(_ remote: Remote<Entity>) throws {
        let key = RecordKey(entityType: Entity.entityType, entityId: remote.id)
        guard let deletion = try lastWord(on: key), deletion.operation == .delete else { return }
        try noteEditOfDeleted(remote, deletion)
    }

    /// A record that was deleted here has been edited elsewhere since: the deletion stands, the edit is listed.
    private func noteEditOfDeleted<Entity: SyncEntity>(_ remote: Remote<Entity>, _ deletion: PendingMutation) throws {
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

extension PendingMutation {
    /// Whether a version of the record was made after the server had accepted this edit: then the edit is in it, and
    /// where the version shows something else, somebody has changed it on top of the edit. Two versions of the same
    /// millisecond may have come in either order.
    fileprivate func isIn(_ version: ServerFields) -> Bool {
        guard operation == .update, let answered = answer?.updatedAt, let made = version.updatedAt else { return false }
        return made > answered
    }

    /// What it says of that record; nothing where it was about another one, or cannot be read.
    fileprivate func fields(of id: String) -> [String: JSONValue] {
        guard entityId == id, let payload else { return [:] }
        return (try? WireCoding.decode([String: JSONValue].self, from: payload)) ?? [:]
    }

    /// The mutation as it goes on once its record is there again: a create may have arrived, and is looked for.
    fileprivate var revived: PendingMutation {
        var revived = self
        revived.state = operation == .create ? .sending : .queued
        revived.batchKey = nil
        revived.settledAt = nil
        return revived
    }
}

extension SyncConflict {
    /// The name under which it is listed that a record was edited elsewhere after this deletion.
    static func id(ofDeletion deletion: PendingMutation) -> String { "deletion-\(deletion.clientRequestId)" }
}
