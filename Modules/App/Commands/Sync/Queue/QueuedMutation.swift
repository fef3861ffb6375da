import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A mutation as people and programs read it.
struct QueuedMutation: Encodable {
    private let mutation: PendingMutation
    /// Whether what became of it is part of the JSON.
    private let withOutcome: Bool
    /// The refused change that it waits for.
    private let holder: Int64?
    /// Whether it was on its way when a sync was cut off, or when the backup was made that it comes from: nobody sends
    /// it now, and the next sync asks the server whether it is there.
    private let isUnsure: Bool
    /// The field of its record that names one which is not here any more, and without which it cannot be.
    private let lostParent: ParentReference?

    /// - Parameter isSyncing: Whether somebody may be sending it.
    init(
        _ mutation: PendingMutation, heldBy holder: Int64? = nil, isSyncing: Bool = true, withOutcome: Bool = false,
        without lostParent: ParentReference? = nil
    ) {
        self.lostParent = lostParent
        self.mutation = mutation
        self.holder = holder
        self.withOutcome = withOutcome
        isUnsure = mutation.state == .sending && !isSyncing
    }

    /// What became of it so far, in a word; JSON has the state as it is stored.
    var state: String { isUnsure ? "unsure" : mutation.state.name.rawValue }

    private var reason: ParkReason? {
        if case .parked(let reason) = mutation.state { reason } else { nil }
    }

    /// What it does: `create event type`.
    var change: String { "\(mutation.operation.rawValue) \(mutation.entityType.displayName)" }

    /// What it does, to which record: `change 12 (create event 3f9a1c2e)`.
    var name: String { "change \(mutation.id) (\(change) \(ShortId.of(mutation.entityId)))" }

    /// Why it is still here, or what became of it; nil where there is nothing to say.
    var explanation: String? {
        if case .merged(let other?) = mutation.state { return "into \(other)" }
        if let holder { return "waits for change \(holder), which was refused" }
        if let plain = reason.flatMap(plainWords) { return plain }
        guard let reason else {
            let doubt = isUnsure ? "it may be on the server already; the next sync finds out" : nil
            return mutation.state.isUnsent ? mutation.lastError ?? doubt : nil
        }
        let fields = reason.fields.filter { !reason.message.contains($0.message) }.map { "\($0.field) \($0.message)" }
        return ([reason.message] + fields).joined(separator: "; ")
    }

    /// What happened, where the server's words or the engine's say it less plainly.
    private func plainWords(_ reason: ParkReason) -> String? {
        switch reason.code {
        case .lostByServer: return "the server has lost it: its data was restored or reset"
        case .blocked:
            let parents = EntitySchema.trendy.type(for: mutation.entityType)?.parents ?? []
            let missing = parents.first { parent in reason.fields.contains { $0.field == parent.field } }
            return missing.map { "the server does not have the \($0.entityType.displayName) that it belongs to" }
        default: return nil
        }
    }

    /// What a person can do about it; nil where it goes its way.
    var help: String? {
        if let holder { return "'trendy queue show \(holder)' tells what to do about that one" }
        let id = mutation.id
        guard let reason else {
            // What was sent and failed is sent again; what was never sent goes its way.
            guard !isUnsure, mutation.state.isUnsent, mutation.lastError != nil else { return nil }
            return "sync again later; or give it up with 'trendy queue drop \(id)'"
        }
        if let lostParent, reason.code != .unreadable {
            let edit = "'trendy queue edit \(id) \(lostParent.field)=NAME' gives it another"
            let way =
                reason.code == .deletedElsewhere
                ? "\(edit), then 'trendy queue retry \(id)' puts it back" : "\(edit) and sends it"
            return "its \(lostParent.entityType.displayName) is gone: \(way), 'trendy queue drop \(id)' lets it go"
        }
        switch reason.code {
        case .deletedElsewhere:
            return "'trendy queue retry \(id)' puts the record back, 'trendy queue drop \(id)' lets it go"
        case .lostByServer:
            return
                "'trendy queue retry \(id)' sends it to the server again, 'trendy queue drop \(id)' lets it go here too"
        case .blocked, .waiting:
            return "it goes by itself once that is on the server; 'trendy queue retry \(id)' tries at once, "
                + "'trendy queue drop \(id)' gives it up"
        case .rejected where mutation.operation == .create && reason.fields.contains { $0.field == "id" }:
            return "once this device's clock is right, 'trendy queue retry \(id)' sends it again under a new id"
        case .rejected:
            return "'trendy queue edit \(id) FIELD=VALUE' mends it, 'trendy queue drop \(id)' gives it up"
        case .duplicate:
            return "'trendy queue retry \(id)' sends it again, 'trendy queue edit \(id) FIELD=VALUE' makes it differ, "
                + "'trendy queue drop \(id)' gives it up"
        case .blamed, .cleared:
            return "'trendy queue retry \(id)' sends it again, 'trendy queue drop \(id)' gives it up"
        case .unreadable:
            return "update Trendy, or give it up with 'trendy queue drop \(id)'"
        }
    }

    func encode(to encoder: any Encoder) throws {
        // One whose payload cannot be read is parked for just that.
        let payload = mutation.payload.flatMap { try? WireCoding.decode(JSONValue.self, from: $0) }
        try JSONFields([
            "id": mutation.id, "client_request_id": mutation.clientRequestId, "entity_type": mutation.entityType,
            "operation": mutation.operation, "entity_id": mutation.entityId, "state": mutation.state.name,
            "created_at": mutation.createdAt, "attempts": mutation.attempts, "last_error": mutation.lastError,
            "last_attempt_at": mutation.lastAttemptAt, "reason": reason, "waits_for": holder, "payload": payload,
        ]).encode(to: encoder)
        guard withOutcome else { return }
        var other: Int64?
        if case .merged(let into) = mutation.state { other = into }
        try JSONFields(["settled_at": mutation.settledAt, "merged_into": other]).encode(to: encoder)
    }
}

extension QueuedMutation {
    /// Everything about it, a fact a line.
    ///
    /// - Parameter former: What the server has of the record.
    func details(beside former: [String: JSONValue], times: WhenParser) -> [String] {
        let zone = times.zone
        var facts: [(String, String?)] = [
            ("no", String(mutation.id)), ("state", state), ("change", change),
            ("record", mutation.entityId), ("since", zone.minuteText(mutation.createdAt)),
            ("attempts", String(mutation.attempts)), ("last attempt", mutation.lastAttemptAt.map(zone.minuteText)),
            ("settled", mutation.settledAt.map(zone.minuteText)), ("reason", explanation),
            ("last error", mutation.lastError == explanation ? nil : mutation.lastError),
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

/// Tells which refused change another one waits for.
///
/// A refused change holds back what else there is of its record, and what belongs to a record that it would create; the
/// latter also where it was tried, and the server did not have that record.
@MainActor
struct BlockedChanges {
    private var parked: [Key: PendingMutation] = [:]
    private var creates: [Key: PendingMutation] = [:]

    private struct Key: Hashable {
        var entityType: EntityType
        var entityId: String
    }

    init(_ context: CommandContext) throws {
        for mutation in try context.reader.mutations(MutationQuery(states: [.queued, .sending, .parked])) {
            let key = Key(entityType: mutation.entityType, entityId: mutation.entityId)
            if mutation.state.name == .parked, parked[key] == nil { parked[key] = mutation }
            if mutation.operation == .create { creates[key] = mutation }
        }
    }

    /// The number of the refused change that this one waits for; nil where it is held by none.
    func holder(of mutation: PendingMutation) -> Int64? {
        guard mutation.state.isUnsent || mutation.isBlocked else { return nil }
        let key = Key(entityType: mutation.entityType, entityId: mutation.entityId)
        if let earlier = parked[key], earlier.id < mutation.id { return earlier.id }
        for parent in parents(of: mutation) {
            if let keeper = parked[parent], keeper.isKeepingParent { return keeper.id }
            guard let create = creates[parent] else { continue }
            // The parent itself may wait for its own.
            if create.id != mutation.id, let holder = holder(of: create) { return holder }
        }
        return nil
    }

    private func parents(of mutation: PendingMutation) -> [Key] {
        guard mutation.operation != .delete, let type = EntitySchema.trendy.type(for: mutation.entityType),
            let payload = mutation.payload,
            let fields = try? WireCoding.decode([String: JSONValue].self, from: payload)
        else { return [] }
        return type.parents.compactMap { reference in
            fields[reference.field]?.stringValue.map { Key(entityType: reference.entityType, entityId: $0) }
        }
    }
}

extension PendingMutation {
    /// Whether it is parked for another change that has to come first.
    fileprivate var isBlocked: Bool { parkCode == .blocked || parkCode == .waiting }

    /// Whether it is parked, and the server does not have its record before that is decided.
    var isKeepingParent: Bool { parkCode != nil && (operation == .create || parkCode == .deletedElsewhere) }

    /// Why it is parked, in a word; nil where it is not.
    var parkCode: ParkReason.Code? {
        if case .parked(let reason) = state { reason.code } else { nil }
    }
}
