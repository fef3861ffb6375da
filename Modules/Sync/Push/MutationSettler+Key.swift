import Foundation
import TrendyDomain

extension MutationSettler {
    /// The server knows the key by another body, as where a store was copied back from before it was sent, and changed
    /// then: a mutation with the same content and a key of its own takes its place.
    ///
    /// That one comes behind the record's later changes, and must not undo them: a deletion covers it, it leaves to later
    /// edits what these set, and a creation takes them in; a later creation covers it, too.
    ///
    /// - Returns: Whether there is another in its place.
    func renewKey<Entity: SyncEntity>(
        of mutation: PendingMutation, because message: String, type: Entity.Type
    ) throws -> Bool {
        // The person may have cleared the queue meanwhile.
        guard try store.findMutation(id: mutation.id)?.state.isUnsent == true else { return true }
        if let last = try mutation.operation == .create ? successor(of: mutation) : deletion(after: mutation) {
            try cover(mutation, by: last)
            return false
        }
        let later = try store.openMutations(Entity.entityType, mutation.entityId)
            .filter { $0.id > mutation.id && $0.operation == .update }
        var content = mutation
        var takenIn: [PendingMutation] = []
        switch mutation.operation {
        case .create: takenIn = try takeIn(later, to: &content, type)
        case .update:
            guard let left = try leaving(to: later, mutation, type) else { return false }
            content = left
        case .delete: break
        }
        let error = Self.tellsOfKey(message) ? message : "the idempotency key: \(message)"
        let renewed = try insert(content, after: error)
        for edit in takenIn { try cover(edit, by: renewed) }
        var replaced = mutation
        replaced.lastError = error
        try cover(replaced, by: renewed)
        return true
    }

    private func insert(_ content: PendingMutation, after error: String) throws -> PendingMutation {
        try store.insertMutation(
            PendingMutation(
                clientRequestId: applier.identifiers.makeId(), entityType: content.entityType,
                operation: content.operation, entityId: content.entityId, payload: content.payload, base: content.base,
                createdAt: content.createdAt,
                // What the other body has made is looked for.
                attempts: content.attempts + 1, lastError: error, lastAttemptAt: applier.wallClock.now()))
    }

    /// Puts edits that wait for a creation into it. Answers those.
    private func takeIn<Entity: SyncEntity>(
        _ later: [PendingMutation], to create: inout PendingMutation, _ type: Entity.Type
    ) throws -> [PendingMutation] {
        let edits = later.filter { $0.state.isUnsent && !Coalescing.mayHaveArrived($0) }
        if edits.isEmpty { return [] }
        var entity = try WireCoding.decode(Entity.self, from: create.payload ?? Data())
        for edit in edits { entity = try edit.patch(of: type).applied(to: entity) }
        create.payload = try encoded(entity)
        return edits
    }

    /// An edit without what later ones set, which begin from where it began now; nil, and covered by the last of them,
    /// where nothing is left of it.
    private func leaving<Entity: SyncEntity>(
        to later: [PendingMutation], _ mutation: PendingMutation, _ type: Entity.Type
    ) throws -> PendingMutation? {
        let fields = Set(try later.flatMap { try $0.patch(of: type).changes.keys })
        let ledger = LedgerEditor(
            writer: LocalWriter(
                store: store, schema: applier.schema, wallClock: applier.wallClock, identifiers: applier.identifiers))
        _ = try ledger.handOn(try mutation.baseValues(), to: later, of: type)
        if let left = try mutation.without(fields, of: type) { return left }
        guard let last = later.last else { return mutation }
        try cover(mutation, by: last)
        return nil
    }

    /// Whether an error is about the idempotency key. Servers quote it, so that no two of their sentences are equal.
    static func tellsOfKey(_ error: String?) -> Bool { error?.lowercased().contains("idempotency") ?? false }
}
