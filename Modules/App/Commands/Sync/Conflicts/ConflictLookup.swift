import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Finds the conflict that a person names: by its id, or by a beginning or an end of it that no other has.
@MainActor
struct ConflictLookup {
    let context: CommandContext

    /// In the order in which they were found.
    func all() throws -> [SyncConflict] {
        try context.reader.documents(SyncConflict.self).sorted { ($0.detectedAt, $0.id) < ($1.detectedAt, $1.id) }
    }

    /// The conflict as people read it.
    func text(of conflict: SyncConflict) throws -> ConflictText {
        let records = MissingParents(context: context)
        var text = ConflictText(
            conflict: conflict, values: FieldText(times: context.times), present: try present(in: conflict),
            obstacle: try obstacle(to: conflict))
        switch conflict.kind {
        case .field: break
        case .editedHereDeletedElsewhere:
            text.lostParent = try records.reference(of: conflict.entityType, conflict.entityId)
        case .deletedHereEditedElsewhere:
            text.isHereAgain = try records.isHere(conflict.entityType, conflict.entityId)
        }
        return text
    }

    /// What the field has now in which two sides collided; nil where there is no such thing any more.
    private func present(in conflict: SyncConflict) throws -> JSONValue? {
        guard conflict.kind == .field, let place = conflict.place else { return nil }
        return try context.reader.fields(of: conflict.entityType, id: conflict.entityId).map { $0[place] }
    }

    /// Why a conflict cannot be restored, by what is here; nil where it can.
    func obstacle(to conflict: SyncConflict) throws -> String? {
        // What was deleted here is made anew.
        if conflict.kind == .deletedHereEditedElsewhere { return nil }
        let records = MissingParents(context: context)
        guard try records.isHere(conflict.entityType, conflict.entityId) else {
            return "the \(conflict.entityType.displayName) is gone from here"
        }
        guard conflict.kind == .field, let parent = conflict.remoteValue.stringValue,
            let reference = EntitySchema.trendy.type(for: conflict.entityType)?.parents
                .first(where: { $0.field == conflict.field }),
            try !records.isHere(reference.entityType, parent)
        else { return nil }
        return "the \(reference.entityType.displayName) that it was is gone from here"
    }

    func find(_ text: String) throws -> SyncConflict {
        try DocumentName(noun: "conflict", list: "trendy conflicts list").find(text, in: all())
    }

    /// The conflicts that are named, each once.
    func find(_ texts: [String]) throws -> [SyncConflict] {
        var found: [SyncConflict] = []
        for text in texts {
            let conflict = try find(text)
            if !found.contains(conflict) { found.append(conflict) }
        }
        return found
    }
}

/// What a person decides about conflicts that are listed, and how it is told.
@MainActor
struct ConflictDecision {
    let context: CommandContext
    /// What was done, as the first word of a line: "restored".
    let done: String
    /// What has become of the record by that.
    let outcome: (ConflictText) -> String

    /// Decides about each, and tells it.
    func make(about conflicts: [SyncConflict], _ decide: (SyncConflict) async throws -> Void) async throws {
        let lookup = ConflictLookup(context: context)
        var outcomes: [String] = []
        for conflict in conflicts {
            // What it was is not to be seen afterwards.
            let text = try lookup.text(of: conflict)
            try await decide(conflict)
            outcomes.append(outcome(text))
        }
        if context.wantsJSON { return try context.output.jsonArray(conflicts.map(ConflictJSON.init)) }
        for (conflict, outcome) in zip(conflicts, outcomes) {
            let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
            try context.output.line(TextTable.singleLine("\(done) \(record): \(outcome)"))
        }
    }
}

extension ConflictLookup {
    /// What to tell where a record cannot be restored because one that it belongs to was deleted.
    func failure(toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String) throws
        -> CommandFailure
    {
        let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
        let fact = "the \(record) cannot be without its \(parent.displayName), which was deleted"
        return .data("\(fact): \(try help(toRestore: conflict, without: parent, parentId))")
    }

    private func help(
        toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String
    ) throws -> String {
        let id = ShortId.of(conflict.id)
        let dismiss = "'trendy conflicts dismiss \(id)'"
        if let other = try all().first(where: { $0.entityType == parent && $0.entityId == parentId }) {
            return "'trendy conflicts show \(ShortId.of(other.id))' tells how to bring that back first, "
                + "\(dismiss) leaves this one deleted"
        }
        let field = EntitySchema.trendy.type(for: conflict.entityType)?.parents
            .first { $0.entityType == parent && $0.onDelete == .cascade }?.field
        guard let change = try refusedChange(of: conflict), let field else {
            return "'trendy conflicts show \(id)' shows what it holds, \(dismiss) leaves it deleted"
        }
        return "'trendy queue edit \(change) \(field)=NAME' gives it another, then 'trendy queue retry \(change)' "
            + "puts it back, \(dismiss) lets it go"
    }

    /// The change of the record that waits for the person and can be edited; nil where the record is not here.
    private func refusedChange(of conflict: SyncConflict) throws -> Int64? {
        guard try MissingParents(context: context).isHere(conflict.entityType, conflict.entityId) else { return nil }
        let query = MutationQuery(
            states: [.parked], entityType: conflict.entityType, operations: [.create, .update],
            entityId: conflict.entityId, limit: 1)
        return try context.reader.mutations(query).first?.id
    }
}
