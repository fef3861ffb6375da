import Foundation
import TrendyDomain

extension RemoteApplier {
    /// How a deletion on the server came to a record here.
    enum DeletionCause: Equatable {
        /// The feed, or the server's answer, names the record itself.
        case named
        /// The parent that it refers to was deleted, and the schema says that it goes with it.
        case cascaded(ParentReference?)
    }

    /// Takes a record out that the server has deleted, and its children by the schema's rules.
    ///
    /// A record with edits that the server has not accepted stays: the edits are parked, because nothing can
    /// take them, and listed as a conflict.
    ///
    /// - Parameter feedWillTell: True where the feed has still to tell of the deletion. The children of a record that stays
    ///   wait for that: the feed may show first that they were moved elsewhere, and are not gone.
    /// - Parameter end: When the server deleted it, where the feed tells.
    /// - Returns: Whether anything here changed.
    @discardableResult
    func delete<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, cause: DeletionCause = .named, feedWillTell: Bool = false,
        at end: Timestamp? = nil
    ) throws -> Bool {
        var open = try store.openMutations(Entity.entityType, id)
        // What a deletion that waits for the person asks for has come true.
        for deletion in open where deletion.operation == .delete && deletion.state.name == .parked {
            // What the feed tells may be how a former life of the record ended.
            if try !feedWillTell && isOfLaterLife(deletion, than: end) { continue }
            try settle(deletion, .accepted)
            // With it goes what waits before it, so that it cannot be sent again and bring the record back.
            for earlier in open
            where earlier.id < deletion.id && earlier.operation != .delete && earlier.state != .sending {
                try settle(earlier, .merged(into: deletion.id))
            }
        }
        open = try store.openMutations(Entity.entityType, id).filter { $0.operation != .delete }
        if cause == .named {
            // The server cannot have deleted what it never had: a create whose answer was lost did arrive. Unless
            // the record was made anew here: then an earlier deletion may be the one that is meant.
            let arrived = try open.filter { create in
                guard create.operation == .create, create.state == .sending else { return false }
                // What has arrived may have been another version: what this one says is kept aside.
                return try isFirst(create) && !mayDiffer(create)
            }
            for mutation in arrived { try settle(mutation, .accepted) }
            open.removeAll { mutation in arrived.contains { $0.id == mutation.id } }
            // Nor has it deleted what waits here to be made anew: its predecessor is meant.
            if open.contains(where: \.isUnsentCreate) { return try removeSyncedChildren(Entity.entityType, id) }
        }
        guard let record = try store.find(type, id: id) else {
            // What it had here went with a parent, whose deletion was given up: nothing can take its edits.
            for edit in open where edit.operation == .update && edit.state != .sending {
                try settle(edit, .merged(into: nil))
            }
            try childrenOfDeleted(Entity.entityType, id)
            return false
        }
        try store.deleteDocument(WaitingVersion.self, id: WaitingVersion.id(Entity.entityType, id))
        if open.isEmpty {
            try store.delete(type, id: id)
        } else {
            try keepAside(cause == .named ? withOwnValues(record, open) : record, with: open, cause)
            if feedWillTell { return true }
        }
        try childrenOfDeleted(Entity.entityType, id)
        return true
    }

    /// Takes the children out that went with the predecessor of a record: those that nothing is to be done about here.
    func removeSyncedChildren(_ entityType: EntityType, _ id: String) throws -> Bool {
        try schema.children(of: entityType).reduce(false) { changed, child in
            guard child.reference.onDelete == .cascade else { return changed }
            return try removeSynced(child.type, child.reference, of: id) || changed
        }
    }

    private func removeSynced<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, of parentId: String
    ) throws -> Bool {
        let children = try store.fetch(type, where: FieldCondition(reference.field, equals: parentId))
            .filter { try store.openMutations(Child.entityType, $0.id).isEmpty }
        for child in children { try delete(type, id: child.id, cause: .cascaded(reference)) }
        return !children.isEmpty
    }

    /// Applies the schema's rules to the children that a record had before it was deleted and made anew: those that
    /// nobody has changed since, and that were not made here for the new one.
    ///
    /// - Returns: Whether anything here changed.
    func detachFormerChildren(of parent: RecordKey, until end: Timestamp) throws -> Bool {
        let lives = MutationQuery(
            entityType: parent.entityType, operations: [.create, .delete], entityId: parent.entityId)
        let last = try store.fetchMutations(lives).drop { $0.operation == .create }.last
        let rebirth = last?.operation == .create ? last?.id : nil
        return try schema.children(of: parent.entityType).reduce(false) { changed, child in
            let former = try formerChildren(child.type, child.reference, of: parent.entityId, end, rebirth)
            return former || changed
        }
    }

    private func formerChildren<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, of parentId: String, _ end: Timestamp, _ rebirth: Int64?
    ) throws -> Bool {
        let former = try store.fetch(type, where: FieldCondition(reference.field, equals: parentId)).filter { child in
            guard let changed = child.server.updatedAt, changed <= end else { return false }
            // Within one moment it may name the new one already, and no entry would say so once more.
            if reference.onDelete == .clear, changed == end { return false }
            let own = MutationQuery(
                entityType: Child.entityType, operations: [.create], entityId: child.id, afterId: rebirth ?? .max)
            return try store.openMutations(Child.entityType, child.id).isEmpty && store.countMutations(own) == 0
        }
        for child in former {
            switch reference.onDelete {
            case .cascade: try delete(type, id: child.id, cause: .cascaded(reference))
            case .clear: try clear(reference, of: child)
            }
        }
        return !former.isEmpty
    }

    private func clear<Child: SyncEntity>(_ reference: ParentReference, of child: LocalRecord<Child>) throws {
        var cleared = child
        cleared.entity = try Patch<Child>(changes: [reference.field: .null]).applied(to: child.entity)
        try store.upsert(cleared)
    }

    /// Whether a create is the first thing that was done to its record here, so that no earlier life of it is known. One
    /// that was replaced because of its key was the same.
    func isFirst(_ create: PendingMutation) throws -> Bool {
        let query = MutationQuery(entityType: create.entityType, entityId: create.entityId)
        let changes = try store.fetchMutations(query)
        let origin = changes.first { $0.isReplaced(by: create) } ?? create
        return changes.allSatisfy { $0.id >= origin.id }
    }

    /// Whether a deletion is of a record that had been made anew here, for all that is known after the end that the feed
    /// tells.
    private func isOfLaterLife(_ deletion: PendingMutation, than end: Timestamp?) throws -> Bool {
        let creates = MutationQuery(
            entityType: deletion.entityType, operations: [.create], entityId: deletion.entityId)
        let last = try store.fetchMutations(creates).last { $0.id < deletion.id && $0.state != .dropped }
        guard let last, try !isFirst(last) else { return false }
        guard last.state == .accepted, let made = last.answer?.updatedAt, let end else { return true }
        return end <= made
    }

    /// Whether what the server has, or had, under the id of a create may say something else: the create never left, or its
    /// first key had another body.
    func mayDiffer(_ create: PendingMutation) throws -> Bool {
        if create.isForeign { return true }
        let query = MutationQuery(
            states: [.merged], entityType: create.entityType, operations: [.create], entityId: create.entityId)
        return try store.fetchMutations(query).contains { $0.isReplaced(by: create) }
    }

    /// The record as it was made here, where the server's version of it has taken the place of that since: it goes, and
    /// what the create says is nowhere else.
    private func withOwnValues<Entity: SyncEntity>(
        _ record: LocalRecord<Entity>, _ open: [PendingMutation]
    ) throws -> LocalRecord<Entity> {
        guard let create = open.last(where: { $0.operation == .create }), let payload = create.payload,
            try mayDiffer(create), var entity = try? WireCoding.decode(Entity.self, from: payload)
        else { return record }
        for edit in open where edit.operation == .update && edit.id > create.id {
            if let patch = try? edit.patch(of: Entity.self) { entity = try patch.applied(to: entity) }
        }
        var own = record
        own.entity = entity
        try store.upsert(own)
        return own
    }

    private func keepAside<Entity: SyncEntity>(
        _ record: LocalRecord<Entity>, with open: [PendingMutation], _ cause: DeletionCause
    ) throws {
        var reason = ParkReason(
            code: .deletedElsewhere, message: "the \(Entity.entityType.displayName) was deleted elsewhere")
        var lost: ParentReference?
        if case .cascaded(let reference?) = cause {
            // The record itself may never have been anywhere else, and cannot go back without another parent.
            lost = reference
            reason.message = "its \(reference.entityType.displayName) was deleted"
            reason.fields = [FieldError(field: reference.field, message: "was deleted", code: "deleted")]
        }
        for mutation in open { try settle(mutation, .parked(reason)) }
        try store.setSyncStatus(Entity.self, id: record.id, .failed)
        try store.putDocument(
            SyncConflict(
                id: "edit-\(open[0].clientRequestId)", kind: .editedHereDeletedElsewhere,
                entityType: Entity.entityType, entityId: record.id, field: lost?.field,
                localValue: .object(try WireCoding.fields(of: record.entity)), remoteValue: .null,
                detectedAt: wallClock.now()))
    }

    private func settle(_ mutation: PendingMutation, _ state: MutationState) throws {
        var settled = mutation
        settled.state = state
        settled.settledAt = wallClock.now()
        try store.updateMutation(settled)
    }

    /// Applies the schema's rules to the children of a record that is gone.
    func childrenOfDeleted(_ entityType: EntityType, _ id: String) throws {
        for (child, reference) in schema.children(of: entityType) {
            try childrenOfDeleted(child, reference, id)
        }
    }

    private func childrenOfDeleted<Child: SyncEntity>(
        _ type: Child.Type, _ reference: ParentReference, _ parentId: String
    ) throws {
        for child in try store.fetch(type, where: FieldCondition(reference.field, equals: parentId)) {
            switch reference.onDelete {
            case .cascade:
                // Where only an edit that waits has moved it here, the server has it elsewhere, and refuses the edit.
                let open = try store.openMutations(Child.entityType, child.id)
                if open.moved(reference.field, to: parentId) { continue }
                try delete(type, id: child.id, cause: .cascaded(reference))
            case .clear:
                try clear(reference, of: child)
                let deletion = try store.openMutations(reference.entityType, parentId).last { $0.operation == .delete }
                for mutation in try store.openMutations(Child.entityType, child.id) where mutation.state != .sending {
                    let without = try mutation.replacing(reference.field, .string(parentId), with: .null)
                    if without == mutation { continue }
                    try store.updateMutation(without)
                    guard let deletion else { continue }
                    try ClearedReferences.note(mutation, reference.field, takenBy: deletion.id, in: store)
                }
            }
        }
    }
}

extension PendingMutation {
    /// Whether it is a create that gave way to another because the server knew its key by another body.
    func isReplaced(by create: PendingMutation) -> Bool {
        operation == .create && state == .merged(into: create.id) && MutationSettler.tellsOfKey(lastError)
    }

    /// Whether no server can have it yet.
    fileprivate var isUnsentCreate: Bool {
        operation == .create && state != .sending && !Coalescing.mayHaveArrived(self)
    }
}
