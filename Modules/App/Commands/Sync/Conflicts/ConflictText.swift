import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A conflict as people read it.
struct ConflictText {
    let conflict: SyncConflict
    let values: FieldText
    /// What the field has now, which can have changed since the conflict was found; nil where the record is gone.
    var present: JSONValue?
    /// Why it cannot be restored; nil where it can.
    var obstacle: String?
    /// Whether a record that was deleted here is there again, by an undo or made anew.
    var isHereAgain = false
    /// The field that names a record which is gone from here, and without which this one cannot be.
    var lostParent: ParentReference?

    /// What collided: `the note differs`.
    var summary: String {
        switch conflict.kind {
        case .field:
            "\(field) is '\(standing)', \(losingSide) it was '\(text(conflict.remoteValue))'"
        case .editedHereDeletedElsewhere:
            lostParent.map { "changed here, deleted elsewhere with its \($0.entityType.displayName)" }
                ?? "edited here, deleted elsewhere"
        case .deletedHereEditedElsewhere:
            "deleted here, edited elsewhere" + (isHereAgain ? ", and here again without that edit" : "")
        }
    }

    /// What has become of the record where the side that lost was restored: `notes is 'b' now, it was 'a'`.
    var restored: String {
        switch conflict.kind {
        case .field:
            "\(field) is '\(text(conflict.remoteValue))' now, it was '\(standing)'"
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

    private var field: String { FieldText.name(conflict.place) }

    private var standing: String { text(present ?? conflict.localValue) }

    private func text(_ value: JSONValue) -> String { values.value(value, at: conflict.place) }

    private var losingSide: String { (conflict.losingSide ?? .elsewhere).rawValue }

    private var standingSide: String {
        (conflict.losingSide == .here ? SyncConflict.Side.elsewhere : .here).rawValue
    }

    private var puttingBack: String {
        guard let lostParent else { return "puts the record back" }
        return "puts the record back once its \(lostParent.entityType.displayName) is there again or it has another, "
            + "which 'trendy queue edit NUMBER \(lostParent.field)=NAME' gives it (NUMBER from 'trendy queue')"
    }

    /// Everything about it, a fact a line.
    var details: [String] {
        let zone = values.times.zone
        var facts: [(String, String?)] = [
            ("id", conflict.id), ("conflict", summary),
            ("record", "\(conflict.entityType.displayName) \(conflict.entityId)"),
            ("found", zone.minuteText(conflict.detectedAt)),
        ]
        switch conflict.kind {
        case .field:
            facts += [
                ("now", present.flatMap { $0 == conflict.localValue ? nil : text($0) }),
                (standingSide, text(conflict.localValue)), (losingSide, text(conflict.remoteValue)),
            ]
        case .editedHereDeletedElsewhere: facts += fields("here", conflict.localValue)
        case .deletedHereEditedElsewhere: facts += fields("elsewhere", conflict.remoteValue)
        }
        facts.append(("help", help))
        return FactLines.of(facts)
    }

    private func fields(_ side: String, _ value: JSONValue) -> [(String, String?)] {
        let document = value.objectValue ?? [:]
        return FieldText.places(of: document, conflict.entityType).map { place in
            ("\(side) \(FieldText.name(place))", values.value(document[place], at: place))
        }
    }
}

/// A conflict as JSON: every key is always there.
struct ConflictJSON: Encodable {
    let conflict: SyncConflict

    func encode(to encoder: any Encoder) throws {
        try JSONFields([
            "id": conflict.id, "kind": conflict.kind, "entity_type": conflict.entityType,
            "entity_id": conflict.entityId, "field": conflict.field, "key": conflict.key,
            "local_value": conflict.localValue, "remote_value": conflict.remoteValue,
            "losing_side": conflict.losingSide ?? .elsewhere, "detected_at": conflict.detectedAt,
        ]).encode(to: encoder)
    }
}
