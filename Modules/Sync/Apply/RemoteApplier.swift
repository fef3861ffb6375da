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
        var local = try localChanges(Entity.entityType, remote.id)
        if let answering, answering.operation == .create, answering.entityId == remote.id {
            // What came before a create was about the former record, but for an edit that was moved here and is to go yet.
            local.removeAll { $0.id <= answering.id && !($0.operation == .update && $0.state.isUnsent) }
        }
        if let deletion = local.last(where: { $0.operation != .update }), deletion.operation == .delete {
            try noteEditOfDeleted(remote, deletion)
            return false
        }
        if answering == nil { try noteForeign(among: local, remote) }
        // Only the feed and the listings tell that a record is there: an answer may be a repeated one.
        let revived = answering == nil ? local.filter(\.isParkedAsDeletedElsewhere) : []
        if !revived.isEmpty { local = local.map { $0.isParkedAsDeletedElsewhere ? $0.revived : $0 } }
        let edits = edits(among: local, beneath: remote, answering: answering)
        let said = edits.isEmpty ? [] : try answering.map { [$0.fields(of: remote.id)] } ?? saidHere(in: remote)
        let rebase = try Rebase(remote: remote.entity, edits: edits, said: said)
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

    /// The edits that lie above a version, in the order in which the server gets them.
    ///
    /// One that was moved here from another record can be older than one that the server has taken already.
    func edits<Entity: SyncEntity>(
        among local: [PendingMutation], beneath remote: Remote<Entity>, answering: PendingMutation? = nil
    ) -> [PendingMutation] {
        let birth = local.last { $0.operation == .create && $0.state == .accepted }?.id ?? 0
        let accepted = local.filter { mutation in
            // What the server took before it made the record anew was of the former one.
            if mutation.operation == .update && mutation.id < birth { return false }
            // The answer to a change is how the server has it, with those before it, which were sent before it.
            let isAnswered = answering.map { $0.entityId == remote.id && mutation.id <= $0.id } ?? false
            return mutation.state == .accepted && !isAnswered && !mutation.isIn(remote.server)
        }
        return accepted + local.filter { $0.state != .accepted }
    }

    /// Takes a record out that was moved elsewhere to one that is deleted here: on the server it goes with that one.
    ///
    /// Where an edit of it is still to be answered, it stays until then: the answer shows the same once more. Where
    /// its edits wait for the person, it stays for as long as the server still has it: what they ask is open.
    private func goWithParent<Entity: SyncEntity>(_ parent: RecordKey, _ remote: Remote<Entity>) throws -> Bool {
        guard try store.find(Entity.self, id: remote.id) != nil else {
            try noteGone(remote, with: parent)
            return false
        }
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

    /// Notes of a creation that waits here and has never left that the server has its record: another device made the
    /// same one, by an import say. It must not replace what that one says by now.
    private func noteForeign<Entity: SyncEntity>(among local: [PendingMutation], _ remote: Remote<Entity>) throws {
        if try local.contains(where: { $0.operation == .delete }) || isOwn(remote) { return }
        for var create in local where create.operation == .create && create.isUnsent {
            // Where a parent was deleted here before that, what the server shows goes with it.
            let isMadeAnew = try requiredParents(of: remote.entity).contains { parent in
                try localChanges(parent.entityType, parent.entityId)
                    .contains { $0.operation == .delete && $0.id < create.id }
            }
            if isMadeAnew { continue }
            create.attempts = 1
            // One that was refused was sent, and the server has it from elsewhere all the same.
            create.lastAttemptAt = nil
            try store.updateMutation(create)
        }
    }

    /// A version of a record that is newer than an answer to what was sent from here; nil where none is there.
    ///
    /// A server answers what it has seen before as it did then. Its answer is no news where the feed has shown more.
    func newerVersion<Entity: SyncEntity>(than answer: Remote<Entity>) throws -> Remote<Entity>? {
        guard let record = try store.find(Entity.self, id: answer.id), record.server.isNewer(than: answer.server)
        else { return nil }
        let beneath = try localChanges(Entity.entityType, answer.id).formerValues()
        return Remote(try Patch<Entity>(changes: beneath).applied(to: record.entity), server: record.server)
    }

    /// The changes made here that the feed has not shown yet: open ones, and accepted ones without an echo.
    func localChanges(_ entityType: EntityType, _ entityId: String) throws -> [PendingMutation] {
        let query = MutationQuery(
            states: [.queued, .sending, .parked, .accepted], entityType: entityType, entityId: entityId)
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

    func isDeletedHere(_ key: RecordKey) throws -> Bool {
        if let known = deletedParents[key] { return known }
        let deleted = try lastWord(on: key)?.operation == .delete
        deletedParents[key] = deleted
        return deleted
    }

    /// The last creation or deletion of a record that was made here and that the feed has not shown yet.
    func lastWord(on key: RecordKey) throws -> PendingMutation? {
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
}

extension Sequence<PendingMutation> {
    /// What the fields that the edits among them set held before the first of them.
    func formerValues() -> [String: JSONValue] {
        reduce(into: [:]) { former, edit in
            guard edit.operation == .update, let base = try? edit.baseValues() else { return }
            former.merge(base) { earlier, _ in earlier }
        }
    }
}

extension PendingMutation {
    /// Whether it is a creation that counts as sent without having left: the server may have its record from elsewhere.
    var isForeign: Bool { operation == .create && attempts > 0 && lastAttemptAt == nil }

    /// Whether a request with it may have left: a server may have taken it.
    var hasLeft: Bool { state == .sending || attempts > 0 && lastAttemptAt != nil }

    /// Whether a version of the record was made after the server had accepted this edit: then the edit is in it, and
    /// where the version shows something else, somebody has changed it on top of the edit. Two versions of the same
    /// millisecond may have come in either order.
    fileprivate func isIn(_ version: ServerFields) -> Bool {
        guard operation == .update, let answered = answer?.updatedAt, let made = version.updatedAt else { return false }
        return made > answered
    }

    /// Whether no server can have taken it: it waits, or was refused.
    fileprivate var isUnsent: Bool {
        guard attempts == 0 else { return false }
        if case .parked(let reason) = state { return reason.code == .rejected || reason.code == .duplicate }
        return state == .queued
    }

    /// What it says of that record; nothing where it was about another one, or cannot be read.
    func fields(of id: String) -> [String: JSONValue] {
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
