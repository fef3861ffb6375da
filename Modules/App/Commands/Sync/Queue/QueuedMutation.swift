import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A mutation for people and as JSON.
struct QueuedMutation: Encodable {
    private let mutation: PendingMutation
    /// Whether the JSON has the result.
    private let withOutcome: Bool
    /// The number of the refused change that blocks it.
    private let holder: Int64?
    /// Whether the server may have received it already: a sync was interrupted, or a backup was made, while the change
    /// was on its way. The next sync finds out.
    private let isUnsure: Bool
    private let lostParent: LostParent?
    /// That the server's clock holds it back; nil if it does not.
    private let early: Early?

    /// That a change waits for the server's clock.
    struct Early {
        /// When it can be sent, by this device's clock; nil if that is not known.
        var end: Timestamp?
        /// The same for people.
        var text = ""
        /// Whether that is so far away that it is a mistake.
        var isFar = false
    }

    /// - Parameter isSyncing: Whether a sync may be sending it now.
    init(
        _ mutation: PendingMutation, heldBy holder: Int64? = nil, isSyncing: Bool = true, withOutcome: Bool = false,
        without lostParent: LostParent? = nil, early: Early? = nil
    ) {
        self.lostParent = lostParent
        self.early = early
        self.mutation = mutation
        self.holder = holder
        self.withOutcome = withOutcome
        isUnsure = mutation.state == .sending && !isSyncing
    }

    /// The state in a word; JSON has the stored state.
    var state: String { isUnsure ? "unsure" : mutation.state.name.rawValue }

    private var reason: ParkReason? {
        if case .parked(let reason) = mutation.state { reason } else { nil }
    }

    /// The operation: `create event type`.
    var change: String { "\(mutation.operation.rawValue) \(mutation.entityType.displayName)" }

    /// The number, operation and record: `change 12 (create event 3f9a1c2e)`.
    var name: String { "change \(mutation.id) (\(change) \(ShortId.of(mutation.entityId)))" }

    /// Why it waits, or its result; nil for none.
    var explanation: String? {
        if case .merged(let other?) = mutation.state { return "into \(other)" }
        if let holder { return "waits for change \(holder), which cannot be sent yet" }
        if let early {
            let moment = early.end == nil ? "as soon as that allows" : "from \(early.text) on"
            return "the server refuses it as ahead of its clock; it is sent by itself \(moment)"
        }
        if let plain = reason.flatMap(plainWords) { return plain }
        guard let reason else {
            let doubt = isUnsure ? "it may have reached the server; the next sync checks that" : nil
            return mutation.state.isUnsent ? mutation.lastError ?? doubt : nil
        }
        // What was not taken is in the message.
        let fields = reason.fields.filter { $0.code != FieldError.ignored && !reason.message.contains($0.message) }
        return ([reason.message] + fields.complaints).joined(separator: "; ")
    }

    /// The server's own words, where the reason does not have them.
    var saidByServer: String? {
        guard let answer = reason?.answer, let text = answer.text, explanation?.contains(text) != true else {
            return nil
        }
        return "\(answer.status): \(text)"
    }

    /// A plain text that replaces the text of the server or the engine.
    private func plainWords(_ reason: ParkReason) -> String? {
        switch reason.code {
        case .blocked:
            let parents = EntitySchema.trendy.type(for: mutation.entityType)?.parents ?? []
            let missing = parents.first { parent in reason.fields.contains { $0.field == parent.field } }
            return missing.map { "the server does not have its \($0.entityType.displayName)" }
        default: return nil
        }
    }

    /// What to do; nil if nothing needs to be done.
    var help: String? {
        if let holder { return "see 'trendy queue show \(holder)'" }
        let id = mutation.id
        if early?.isFar == true { return "'trendy queue retry \(id)' sends it at once, with a new id" }
        guard let reason else {
            // Only a change with a failed attempt needs advice.
            guard !isUnsure, mutation.state.isUnsent, mutation.lastError != nil else { return nil }
            return "sync again later, or drop it with 'trendy queue drop \(id)'"
        }
        if let lostParent, reason.code != .unreadable {
            let edit = "'trendy queue edit \(id) \(lostParent.reference.field)=NAME' sets another one"
            let way =
                if let keeper = lostParent.keeper {
                    "'trendy queue retry \(keeper) \(id)' restores both, \(edit)"
                } else if reason.code == .deletedElsewhere {
                    "\(edit), then 'trendy queue retry \(id)' restores it"
                } else {
                    "\(edit) and sends it"
                }
            let noun = lostParent.reference.entityType.displayName
            return "its \(noun) was deleted: \(way), 'trendy queue drop \(id)' drops it"
        }
        switch reason.code {
        case .deletedElsewhere:
            return "'trendy queue retry \(id)' restores the record, 'trendy queue drop \(id)' deletes it"
        case .lostByServer where mutation.operation == .delete:
            return
                "'trendy queue retry \(id)' deletes it on the server again, 'trendy queue drop \(id)' restores it here"
        case .madeElsewhere:
            return "'trendy queue retry \(id)' deletes it everywhere, 'trendy queue drop \(id)' restores it here"
        case .lostByServer where mutation.operation == .update:
            return
                "'trendy queue retry \(id)' sends it to the server again, 'trendy queue drop \(id)' leaves the record "
                + "where the server has it, even if that is deleted here"
        case .lostByServer:
            return
                "'trendy queue retry \(id)' sends it to the server again, 'trendy queue drop \(id)' deletes it here, too"
        case .blocked, .waiting:
            return "it is sent as soon as the server has that; 'trendy queue retry \(id)' tries at once, "
                + "'trendy queue drop \(id)' drops it"
        case .rejected where mutation.operation == .create && reason.fields.contains { $0.field == "id" }:
            return "correct the clock of this device, then 'trendy queue retry \(id)' sends it again with a new id"
        case .rejected:
            return "correct it with 'trendy queue edit \(id) FIELD=VALUE', or drop it with 'trendy queue drop \(id)'"
        case .duplicate:
            return "'trendy queue retry \(id)' sends it again, 'trendy queue edit \(id) FIELD=VALUE' changes it, "
                + "'trendy queue drop \(id)' drops it"
        case .blamed where mutation.operation != .delete:
            return "'trendy queue edit \(id) FIELD=VALUE' corrects it, 'trendy queue retry \(id)' sends it again, "
                + "'trendy queue drop \(id)' drops it"
        case .blamed, .cleared:
            return "'trendy queue retry \(id)' sends it again, 'trendy queue drop \(id)' drops it"
        case .unreadable:
            return "update Trendy, or drop it with 'trendy queue drop \(id)'"
        }
    }

    func encode(to encoder: any Encoder) throws {
        // A payload that cannot be read is the reason of such a parked change.
        let payload = mutation.payload.flatMap { try? WireCoding.decode(JSONValue.self, from: $0) }
        try JSONFields([
            "id": mutation.id, "client_request_id": mutation.clientRequestId, "entity_type": mutation.entityType,
            "operation": mutation.operation, "entity_id": mutation.entityId, "state": mutation.state.name,
            "created_at": mutation.createdAt, "attempts": mutation.attempts, "last_error": mutation.lastError,
            "last_attempt_at": mutation.lastAttemptAt, "reason": reason, "waits_for": holder,
            "waits_until": early?.end, "payload": payload,
        ]).encode(to: encoder)
        guard withOutcome else { return }
        var other: Int64?
        if case .merged(let into) = mutation.state { other = into }
        try JSONFields(["settled_at": mutation.settledAt, "merged_into": other]).encode(to: encoder)
    }
}

extension QueuedMutation {
    /// All facts about the change, one per line.
    ///
    /// - Parameter former: The server's version of the record.
    func details(beside former: [String: JSONValue], times: WhenParser) -> [String] {
        let zone = times.zone
        var facts: [(String, String?)] = [
            ("no", String(mutation.id)), ("state", state), ("change", change),
            ("record", mutation.entityId), ("since", zone.minuteText(mutation.createdAt)),
            ("attempts", String(mutation.attempts)), ("last attempt", mutation.lastAttemptAt.map(zone.minuteText)),
            ("settled", mutation.settledAt.map(zone.minuteText)), ("reason", explanation),
            ("last error", mutation.lastError == explanation ? nil : mutation.lastError), ("server said", saidByServer),
            ("key", mutation.clientRequestId),
        ]
        let values = FieldText(times: times)
        let payload = mutation.payload.flatMap { try? WireCoding.decode([String: JSONValue].self, from: $0) } ?? [:]
        for place in FieldText.places(of: payload, mutation.entityType) {
            let isEdit = mutation.operation == .update && !former.isEmpty
            let was = isEdit ? " (was \(values.value(former[place], at: place)))" : ""
            facts.append((FieldText.name(place), values.value(payload[place], at: place) + was))
        }
        facts.append(("help", help))
        return FactLines.of(facts)
    }
}

/// Finds the refused change that blocks another one.
///
/// A refused change blocks the other changes of its record. If it creates the record, it also blocks the changes of the
/// record's children. If it moves an event of the server to another type, it blocks the deletion of the type that the server
/// knows: the server would delete the event, too.
@MainActor
struct BlockedChanges {
    private var parked: [Key: PendingMutation] = [:]
    private var creates: [Key: PendingMutation] = [:]
    /// The first parked edit that moves something of the server away from a record, by that record.
    private var departures: [Key: PendingMutation] = [:]

    private struct Key: Hashable {
        var entityType: EntityType
        var entityId: String
    }

    init(_ context: CommandContext) throws {
        let open = try context.reader.mutations(MutationQuery(states: [.queued, .sending, .parked]))
        for mutation in open {
            let key = Key(entityType: mutation.entityType, entityId: mutation.entityId)
            if mutation.state.name == .parked, parked[key] == nil { parked[key] = mutation }
            if mutation.operation == .create { creates[key] = mutation }
        }
        try findDepartures(open.filter { $0.parkCode != nil && $0.operation == .update }, context)
    }

    private mutating func findDepartures(_ parked: [PendingMutation], _ context: CommandContext) throws {
        if parked.isEmpty { return }
        let store = try context.root.stores.makeDataStore()
        for type in EntitySchema.trendy.types {
            let references = type.parents.filter { $0.onDelete == .cascade }
            let edits = references.isEmpty ? [] : parked.filter { $0.entityType == type.entityType }
            let ids = Array(Set(edits.map(\.entityId)))
            if ids.isEmpty { continue }
            let bases = try store.bases(type.entityType, ids: ids)
            // What is deleted here may go with its former parent.
            let shown = try store.standings(type.entityType, ids: ids)
            for edit in edits where shown[edit.entityId] != nil {
                guard let base = bases[edit.entityId], !base.isDeleted, let payload = edit.payload,
                    let fields = try? WireCoding.decode([String: JSONValue].self, from: payload)
                else { continue }
                for reference in references {
                    guard let parent = base.document?[reference.field]?.stringValue,
                        let target = fields[reference.field]?.stringValue, target != parent
                    else { continue }
                    let key = Key(entityType: reference.entityType, entityId: parent)
                    if departures[key] == nil { departures[key] = edit }
                }
            }
        }
    }

    /// The number of the parked change that blocks this one; nil for none.
    func holder(of mutation: PendingMutation) -> Int64? {
        guard mutation.state.isUnsent || mutation.isBlocked else { return nil }
        let key = Key(entityType: mutation.entityType, entityId: mutation.entityId)
        if mutation.operation == .delete {
            guard let move = departures[key], move.id < mutation.id else { return nil }
            return holder(of: move) ?? move.id
        }
        if let earlier = parked[key], earlier.id < mutation.id { return earlier.id }
        for parent in parents(of: mutation) {
            if let keeper = parked[parent], keeper.isKeepingParent { return keeper.id }
            guard let create = creates[parent] else { continue }
            // The parent itself may be blocked by its parent.
            if create.id != mutation.id, let holder = holder(of: create) { return holder }
        }
        return nil
    }

    private func parents(of mutation: PendingMutation) -> [Key] {
        guard let type = EntitySchema.trendy.type(for: mutation.entityType), let payload = mutation.payload,
            let fields = try? WireCoding.decode([String: JSONValue].self, from: payload)
        else { return [] }
        return type.parents.compactMap { reference in
            fields[reference.field]?.stringValue.map { Key(entityType: reference.entityType, entityId: $0) }
        }
    }
}

extension PendingMutation {
    /// Whether it is parked until another change was accepted.
    fileprivate var isBlocked: Bool { parkCode == .blocked || parkCode == .waiting }

    /// Whether it is a parked creation, so that the server does not have the record.
    var isKeepingParent: Bool { parkCode != nil && (operation == .create || parkCode == .deletedElsewhere) }

    /// The reason in a word; nil if it is not parked.
    var parkCode: ParkReason.Code? {
        if case .parked(let reason) = state { reason.code } else { nil }
    }
}
