import TrendyDomain

/// A conflict as people read it.
struct ConflictText {
    let conflict: SyncConflict
    /// What the field has now, which can have changed since the conflict was found; nil where the record is gone.
    var present: JSONValue?
    /// Why it cannot be restored; nil where it can.
    var obstacle: String?
    /// Whether a record that was deleted here is there again, by an undo or made anew.
    var isHereAgain = false

    /// What collided: `the note differs`.
    var summary: String {
        switch conflict.kind {
        case .field:
            "\(conflict.field ?? "a field") is '\(standing)', "
                + "\(losingSide) it was '\(JSONText.of(conflict.remoteValue))'"
        case .editedHereDeletedElsewhere:
            deletedParent.map { "changed here, its \($0) was deleted elsewhere" } ?? "edited here, deleted elsewhere"
        case .deletedHereEditedElsewhere:
            "deleted here, edited elsewhere" + (isHereAgain ? ", and here again without that edit" : "")
        }
    }

    /// What has become of the record where the side that lost was restored: `notes is 'b' now, it was 'a'`.
    var restored: String {
        switch conflict.kind {
        case .field:
            "\(conflict.field ?? "a field") is '\(JSONText.of(conflict.remoteValue))' now, "
                + "it was '\(standing)'"
        case .editedHereDeletedElsewhere: "it was deleted elsewhere, and is put back"
        case .deletedHereEditedElsewhere: "it was deleted here, and is there again as it was edited elsewhere"
        }
    }

    /// What restoring and dismissing it do.
    var help: String {
        let id = ShortId.of(conflict.id)
        if let obstacle {
            return "\(obstacle), so it cannot be restored; 'trendy conflicts dismiss \(id)' takes it off the list"
        }
        let (restore, dismiss) = consequences
        return "'trendy conflicts restore \(id)' \(restore), 'trendy conflicts dismiss \(id)' \(dismiss)"
    }

    private var consequences: (restore: String, dismiss: String) {
        switch conflict.kind {
        case .field: ("takes the value from \(losingSide)", "leaves it as it is")
        case .editedHereDeletedElsewhere: (puttingBack, "lets the record go")
        case .deletedHereEditedElsewhere where isHereAgain: ("takes what was edited elsewhere", "leaves it as it is")
        case .deletedHereEditedElsewhere: ("makes the record again", "leaves it deleted")
        }
    }

    private var standing: String { JSONText.of(present ?? conflict.localValue) }

    private var losingSide: String { (conflict.losingSide ?? .elsewhere).rawValue }

    private var standingSide: String {
        (conflict.losingSide == .here ? SyncConflict.Side.elsewhere : .here).rawValue
    }

    /// The kind of the parent whose deletion took the record along; nil where the record itself was deleted.
    private var deletedParent: String? {
        let references = EntitySchema.trendy.type(for: conflict.entityType)?.parents ?? []
        return references.first { $0.field == conflict.field }?.entityType.displayName
    }

    private var puttingBack: String {
        guard let deletedParent, let field = conflict.field else { return "puts the record back" }
        return "puts the record back once its \(deletedParent) is there again or it has another, which "
            + "'trendy queue edit NUMBER \(field)=NAME' gives it (NUMBER from 'trendy queue')"
    }

    /// Everything about it, a fact a line.
    func details(zone: LocalZone) -> [String] {
        var facts: [(String, String?)] = [
            ("id", conflict.id), ("conflict", summary),
            ("record", "\(conflict.entityType.displayName) \(conflict.entityId)"),
            ("found", zone.minuteText(conflict.detectedAt)),
        ]
        switch conflict.kind {
        case .field:
            facts += [
                ("now", present.flatMap { $0 == conflict.localValue ? nil : JSONText.of($0) }),
                (standingSide, JSONText.of(conflict.localValue)), (losingSide, JSONText.of(conflict.remoteValue)),
            ]
        case .editedHereDeletedElsewhere: facts += fields("here", conflict.localValue)
        case .deletedHereEditedElsewhere: facts += fields("elsewhere", conflict.remoteValue)
        }
        facts.append(("help", help))
        return FactLines.of(facts)
    }

    private func fields(_ side: String, _ value: JSONValue) -> [(String, String?)] {
        (value.objectValue ?? [:]).sorted { $0.key < $1.key }.map { ("\(side) \($0.key)", JSONText.of($0.value)) }
    }
}

/// A conflict as JSON: every key is always there.
struct ConflictJSON: Encodable {
    let conflict: SyncConflict

    func encode(to encoder: any Encoder) throws {
        try JSONFields([
            "id": conflict.id, "kind": conflict.kind, "entity_type": conflict.entityType,
            "entity_id": conflict.entityId, "field": conflict.field, "local_value": conflict.localValue,
            "remote_value": conflict.remoteValue, "detected_at": conflict.detectedAt,
        ]).encode(to: encoder)
    }
}
