import Foundation
import TrendyDomain

/// Changes fields of the record that a waiting mutation is about, and lets the mutation carry them.
struct MutationEdit {
    let ledger: LedgerEditor

    private var store: any DataStoreProtocol { ledger.store }

    /// - Returns: The mutation that carries the changes now.
    func edit(_ id: Int64, _ changes: [String: JSONValue]) throws -> Int64 {
        let mutation = try ledger.openMutation(id)
        guard let type = ledger.schema.type(for: mutation.entityType) else {
            throw SyncEngineError.unknownEntityType(mutation.entityType)
        }
        guard mutation.operation != .delete else { throw LedgerError.notEditable(id) }
        do {
            return try edit(type, mutation, changes)
        } catch is DecodingError {
            throw LedgerError.unreadable(id)
        }
    }

    private func edit<Entity: SyncEntity>(
        _ type: Entity.Type, _ mutation: PendingMutation, _ changes: [String: JSONValue]
    ) throws -> Int64 {
        guard let record = try store.find(type, id: mutation.entityId) else {
            throw LedgerError.recordGone(entityType: Entity.entityType, id: mutation.entityId)
        }
        let edited = try FieldChanges(changes).applied(to: record.entity)
        try ledger.writer.validate(edited, over: record.entity)
        if edited != record.entity { ledger.writer.changes.add(.updated(record.entity, to: edited)) }
        let cleared = try forgetClearing(of: Set(changes.keys), type, mutation.entityId)
        // As the record writes them, which need not be how they were given.
        let patch = Patch<Entity>(changes: try Patch<Entity>(changes: changes).values(in: edited))
        let references = patch.changes.filter { cleared.contains($0.key) }
        if Coalescing.mayHaveArrived(mutation) {
            if mutation.isBlamed { return try renew(mutation, record, edited, patch) }
            return try follow(mutation, record, edited, saying: references)
        }
        let update = try queue(edited, over: record, saying: references)
        let carrier = try make(mutation.id, fit: patch, carriedBy: carrier(of: update) ?? mutation.id)
        try ledger.refreshStatus(type, mutation.entityId)
        return carrier
    }

    /// Notes that the person has said what references of a record are to hold, whichever of its mutations a deletion
    /// had taken them out of. Answers those that it had taken out.
    private func forgetClearing<Entity: SyncEntity>(
        of fields: Set<String>, _ type: Entity.Type, _ id: String
    ) throws -> Set<String> {
        try store.openMutations(Entity.entityType, id).reduce(into: []) { forgotten, mutation in
            try forgotten.formUnion(ledger.writer.forgetClearing(of: fields, in: mutation, type))
        }
    }

    /// Changes the record, and queues what that changes; nil where it changes nothing.
    ///
    /// - Parameter references: What the person says of references that a deletion had taken out of what waits. The
    ///   server may have them by an earlier attempt, so they are said again even where the record shows them already.
    private func queue<Entity: SyncEntity>(
        _ edited: Entity, over record: LocalRecord<Entity>, saying references: [String: JSONValue]
    ) throws -> PendingMutation? {
        var patch = try Patch(from: record.entity, to: edited)
        patch.changes.merge(references) { different, _ in different }
        if patch.isEmpty { return nil }
        var changed = record
        changed.entity = edited
        try store.upsert(changed)
        return try ledger.writer.queueUpdate(patch, base: patch.values(in: record.entity), id: edited.id)
    }

    private func carrier(of update: PendingMutation?) -> Int64? {
        if case .merged(let into?)? = update?.state { return into }
        return update?.id
    }

    /// Lets the mutation go again, without what was wrong with it. Answers which one carries the changes.
    ///
    /// Where a later update has taken the changes in, a create takes them too, because it cannot be without a
    /// value; an update leaves those fields to the later one. Either way the later one begins where the record is
    /// without it, so that dropping it leaves nothing that the server never hears of.
    private func make<Entity: SyncEntity>(
        _ id: Int64, fit changes: Patch<Entity>, carriedBy carrier: Int64
    ) throws -> Int64 {
        var mutation = try ledger.openMutation(id)
        if mutation.operation == .create {
            let payload = try WireCoding.decode(Entity.self, from: mutation.payload ?? Data())
            mutation.payload = try encoded(changes.applied(to: payload))
            _ = try ledger.handOn(changes.changes, to: later(than: mutation), of: Entity.self)
        } else if carrier != id {
            let fields = Set(changes.changes.keys)
            let former = try mutation.baseValues().filter { fields.contains($0.key) }
            _ = try ledger.handOn(former, to: later(than: mutation), of: Entity.self)
            guard let without = try mutation.without(fields, of: Entity.self) else {
                try ledger.writer.settle(mutation, .merged(into: carrier))
                return carrier
            }
            mutation = without
        }
        if case .parked(var reason) = mutation.state, reason.code == .deletedElsewhere {
            // It waits on for the person, who has seen to what was wrong with these fields.
            reason.fields.removeAll { changes.changes[$0.field] != nil }
            mutation.state = .parked(reason)
            try store.updateMutation(mutation)
        } else {
            try ledger.reopen(mutation)
        }
        return mutation.operation == .create ? id : carrier
    }

    private func later(than mutation: PendingMutation) throws -> [PendingMutation] {
        try store.openMutations(mutation.entityType, mutation.entityId).filter { $0.id > mutation.id }
    }

    // MARK: What may have arrived

    /// Lets a mutation that may have arrived go again as it was, and queues the changes after it: so nothing that
    /// others have changed since is undone.
    private func follow<Entity: SyncEntity>(
        _ mutation: PendingMutation, _ record: LocalRecord<Entity>, _ edited: Entity,
        saying references: [String: JSONValue]
    ) throws -> Int64 {
        if mutation.state.name == .parked { try ledger.reopen(mutation) }
        let update = try queue(edited, over: record, saying: references)
        try ledger.refreshStatus(Entity.self, edited.id)
        return carrier(of: update) ?? mutation.id
    }

    /// Replaces a mutation that the server fails on: only what it says can be the reason.
    private func renew<Entity: SyncEntity>(
        _ mutation: PendingMutation, _ record: LocalRecord<Entity>, _ edited: Entity, _ changes: Patch<Entity>
    ) throws -> Int64 {
        var changed = record
        changed.entity = edited
        try store.upsert(changed)
        let later = try later(than: mutation)
        let replacement: PendingMutation
        if mutation.operation == .create {
            if let sending = later.first(where: { $0.state == .sending }) { throw LedgerError.sending(sending.id) }
            // Each failure was followed by a look: the server does not have it.
            replacement = try ledger.queue(.create, Entity.self, edited.id, payload: encoded(edited))
        } else {
            let (patch, base) = try combined(mutation, later, changes, before: record.entity)
            replacement = try ledger.queue(
                .update, Entity.self, edited.id, payload: encoded(patch), base: encoded(base),
                attempts: mutation.attempts)
        }
        for replaced in [mutation] + later where replaced.state != .sending {
            try ledger.writer.settle(replaced, .merged(into: replacement.id))
        }
        try ledger.refreshStatus(Entity.self, edited.id)
        return replacement.id
    }

    /// One update for several: a mutation, those after it that wait too, and the new changes.
    private func combined<Entity: SyncEntity>(
        _ mutation: PendingMutation, _ later: [PendingMutation], _ changes: Patch<Entity>, before: Entity
    ) throws -> (patch: Patch<Entity>, base: [String: JSONValue]) {
        var patch = try mutation.patch(of: Entity.self)
        var base = try mutation.baseValues()
        for next in later where next.operation == .update {
            let own = try next.patch(of: Entity.self)
            if next.state == .sending {
                // It goes before the replacement, which must not undo it.
                patch.changes = patch.changes.filter { own.changes[$0.key] == nil }
            } else {
                patch = patch.merging(own)
                base.merge(try next.baseValues()) { earlier, _ in earlier }
            }
        }
        base.merge(try changes.values(in: before)) { earlier, _ in earlier }
        patch = patch.merging(changes)
        return (patch, base.filter { patch.changes[$0.key] != nil })
    }
}
