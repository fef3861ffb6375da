import TrendyData
import TrendyDomain
import TrendyNotation

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
        let records = LostParents(context: context)
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
        let records = LostParents(context: context)
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
