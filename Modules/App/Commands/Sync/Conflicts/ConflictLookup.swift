import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Finds the conflict that a person names by its id, or by a unique beginning or end of the id.
@MainActor
struct ConflictLookup {
    let context: CommandContext

    /// All conflicts, in the order of their detection.
    func all() throws -> [SyncConflict] {
        try context.reader.documents(SyncConflict.self).sorted { ($0.detectedAt, $0.id) < ($1.detectedAt, $1.id) }
    }

    /// The conflict for people.
    func text(of conflict: SyncConflict) throws -> ConflictText {
        let records = MissingParents(context: context)
        var text = ConflictText(
            conflict: conflict, values: FieldText(times: context.times), present: try present(in: conflict),
            obstacle: try obstacle(to: conflict))
        switch conflict.kind {
        case .field: break
        case .editedHereDeletedElsewhere:
            text.lostParent = try records.lostParent(of: conflict.entityType, conflict.entityId)?.reference
        case .deletedHereEditedElsewhere:
            text.isHereAgain = try records.isHere(conflict.entityType, conflict.entityId)
        }
        return text
    }

    /// The present value of the field; nil if the record or the value does not exist any more.
    private func present(in conflict: SyncConflict) throws -> JSONValue? {
        guard conflict.kind == .field, let place = conflict.place else { return nil }
        return try context.reader.fields(of: conflict.entityType, id: conflict.entityId).map { $0[place] }
    }

    /// Why a conflict cannot be restored; nil if it can.
    func obstacle(to conflict: SyncConflict) throws -> String? {
        // A record that was deleted here is created again; if its parent is gone, that comes first, see `parentHelp`.
        if conflict.kind == .deletedHereEditedElsewhere { return nil }
        let records = MissingParents(context: context)
        guard try records.isHere(conflict.entityType, conflict.entityId) else {
            return "the \(conflict.entityType.displayName) was deleted here"
        }
        guard conflict.kind == .field, let parent = conflict.remoteValue.stringValue,
            let reference = EntitySchema.trendy.type(for: conflict.entityType)?.parents
                .first(where: { $0.field == conflict.field }),
            try !records.isHere(reference.entityType, parent)
        else { return nil }
        return "the former \(reference.entityType.displayName) was deleted here"
    }

    func find(_ text: String) throws -> SyncConflict {
        try DocumentName(noun: "conflict", list: "trendy conflicts list").find(text, in: all())
    }

    /// The named conflicts, without duplicates.
    func find(_ texts: [String]) throws -> [SyncConflict] {
        var found: [SyncConflict] = []
        for text in texts {
            let conflict = try find(text)
            if !found.contains(conflict) { found.append(conflict) }
        }
        return found
    }
}

/// A decision about conflicts, and its output.
@MainActor
struct ConflictDecision {
    let context: CommandContext
    /// The verb of the output: "restored".
    let done: String
    /// The effect on the record.
    let outcome: (ConflictText) -> String

    /// Decides about each conflict, and prints the result.
    func make(about conflicts: [SyncConflict], _ decide: (SyncConflict) async throws -> Void) async throws {
        let lookup = ConflictLookup(context: context)
        var outcomes: [String] = []
        for conflict in conflicts {
            // The text needs the values from before the decision.
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
    /// The error if a record cannot be restored because its parent was deleted.
    func failure(toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String) throws
        -> CommandFailure
    {
        .data(try sentence(toRestore: conflict, without: parent, parentId))
    }

    /// That a record that was deleted here cannot be created again without its parent, and what helps; nil if its
    /// parents are here. It says the same as the error of a restore.
    func parentHelp(of conflict: SyncConflict) throws -> String? {
        guard conflict.kind == .deletedHereEditedElsewhere, let fields = conflict.remoteValue.objectValue,
            let type = EntitySchema.trendy.type(for: conflict.entityType)
        else { return nil }
        let records = MissingParents(context: context)
        for reference in type.parents where reference.onDelete == .cascade {
            guard let id = fields[reference.field]?.stringValue, try !records.isHere(reference.entityType, id) else {
                continue
            }
            return try sentence(toRestore: conflict, without: reference.entityType, id)
        }
        return nil
    }

    private func sentence(
        toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String
    ) throws -> String {
        let record = "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))"
        let fact = "the \(parent.displayName) of the \(record) was deleted"
        return "\(fact): \(try help(toRestore: conflict, without: parent, parentId))"
    }

    private func help(
        toRestore conflict: SyncConflict, without parent: EntityType, _ parentId: String
    ) throws -> String {
        let id = ShortId.of(conflict.id)
        let dismiss = "'trendy conflicts dismiss \(id)'"
        // A single value of a record that is gone cannot be restored.
        let others = try all().filter { $0.entityType == parent && $0.entityId == parentId && $0.kind != .field }
        if let other = others.first {
            return "restore that first, see 'trendy conflicts show \(ShortId.of(other.id))', "
                + "or leave this one deleted with \(dismiss)"
        }
        if conflict.kind == .deletedHereEditedElsewhere {
            // The kept version names the parent by its id, so another one of the same name does not help.
            return "'trendy undo' brings it back if you deleted it with your last change, and then "
                + "'trendy conflicts restore \(id)' creates the \(conflict.entityType.displayName) again; if not, add "
                + "that anew with another \(parent.displayName) and the values of 'trendy conflicts show \(id)', or "
                + "leave it deleted with \(dismiss)"
        }
        let field = EntitySchema.trendy.type(for: conflict.entityType)?.parents
            .first { $0.entityType == parent && $0.onDelete == .cascade }?.field
        guard let change = try refusedChange(of: conflict), let field else {
            return "see its values with 'trendy conflicts show \(id)', or leave it deleted with \(dismiss)"
        }
        return "set another one with 'trendy queue edit \(change) \(field)=NAME' and restore the record with "
            + "'trendy queue retry \(change)', or delete it with \(dismiss)"
    }

    /// The refused change of the record, which can be edited; nil if there is none or the record is missing.
    private func refusedChange(of conflict: SyncConflict) throws -> Int64? {
        guard try MissingParents(context: context).isHere(conflict.entityType, conflict.entityId) else { return nil }
        let query = MutationQuery(
            states: [.parked], entityType: conflict.entityType, operations: [.create, .update],
            entityId: conflict.entityId, limit: 1)
        return try context.reader.mutations(query).first?.id
    }
}
