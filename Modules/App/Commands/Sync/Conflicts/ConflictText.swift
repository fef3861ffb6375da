import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A conflict for people.
struct ConflictText {
    let conflict: SyncConflict
    let values: FieldText
    /// The present value of the field, which can have changed since the conflict; nil if the record was deleted.
    var present: JSONValue?
    /// Why it cannot be restored; nil if it can.
    var obstacle: String?
    /// That a record cannot be made again as long as its parent is gone, and what helps; nil if it has its parents.
    var parentHelp: String?
    /// Whether a record that was deleted here exists again.
    var isHereAgain = false
    /// The reference to a deleted parent that the record needs.
    var lostParent: ParentReference?

    /// The conflict in one line: `notes is 'a', elsewhere it was 'b'`.
    var summary: String {
        switch conflict.kind {
        case .field:
            conflict.isLostByServer == true
                ? "\(field) is '\(standing)'; the server lost '\(text(conflict.remoteValue))': its data was restored or reset"
                : "\(field) is '\(standing)', \(losingSide) it was '\(text(conflict.remoteValue))'"
        case .editedHereDeletedElsewhere:
            lostParent.map { "changed here, deleted on another device with its \($0.entityType.displayName)" }
                ?? "edited here, deleted on another device"
        case .deletedHereEditedElsewhere:
            "deleted here, edited on another device" + (isHereAgain ? "; it exists again, without that edit" : "")
        }
    }

    /// The effect of a restore: `notes is 'b' now, it was 'a'`.
    var restored: String {
        switch conflict.kind {
        case .field:
            "\(field) is '\(text(conflict.remoteValue))' now, it was '\(standing)'"
        case .editedHereDeletedElsewhere: "it was deleted on another device, and is restored"
        case .deletedHereEditedElsewhere: "it was deleted here, and is restored with the edits of the other device"
        }
    }

    /// The commands that decide about it, and their effects.
    var help: String {
        let id = ShortId.of(conflict.id)
        if let obstacle {
            return "\(obstacle), so it cannot be restored; 'trendy conflicts dismiss \(id)' removes it from the list"
        }
        if let parentHelp { return parentHelp }
        let (restore, dismiss) = consequences
        return "'trendy conflicts restore \(id)' \(restore), 'trendy conflicts dismiss \(id)' \(dismiss)"
    }

    private var consequences: (restore: String, dismiss: String) {
        switch conflict.kind {
        case .field where conflict.isLostByServer == true: ("takes the value that was lost", "keeps the present one")
        case .field: ("takes the value from \(losingSide)", "keeps the present one")
        case .editedHereDeletedElsewhere: (puttingBack, "deletes the record")
        case .deletedHereEditedElsewhere where isHereAgain: ("takes the edits of the other device", "keeps it as it is")
        case .deletedHereEditedElsewhere: ("creates the record again", "leaves it deleted")
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
        guard let lostParent else { return "restores the record" }
        return "restores the record after its \(lostParent.entityType.displayName) was restored or replaced by "
            + "'trendy queue edit NUMBER \(lostParent.field)=NAME' (NUMBER from 'trendy queue')"
    }

    /// All facts about the conflict, one per line.
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

/// A conflict as JSON; all keys are always present.
struct ConflictJSON: Encodable {
    let conflict: SyncConflict

    func encode(to encoder: any Encoder) throws {
        try JSONFields([
            "id": conflict.id, "kind": conflict.kind, "entity_type": conflict.entityType,
            "entity_id": conflict.entityId, "field": conflict.field, "key": conflict.key,
            "local_value": conflict.localValue, "remote_value": conflict.remoteValue,
            "losing_side": conflict.losingSide ?? .elsewhere,
            "lost_by_server": conflict.isLostByServer ?? false, "detected_at": conflict.detectedAt,
        ]).encode(to: encoder)
    }
}
