import TrendyDomain

/// A mutation as people and programs read it.
struct QueuedMutation: Encodable {
    private let mutation: PendingMutation
    /// Whether what became of it is part of the JSON.
    private let withOutcome: Bool
    /// The refused change that it waits for.
    private let holder: Int64?

    init(_ mutation: PendingMutation, heldBy holder: Int64? = nil, withOutcome: Bool = false) {
        self.mutation = mutation
        self.holder = holder
        self.withOutcome = withOutcome
    }

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
        guard let reason else { return mutation.state.isUnsent ? mutation.lastError : nil }
        let fields = reason.fields.filter { !reason.message.contains($0.message) }.map { "\($0.field) \($0.message)" }
        return ([reason.message] + fields).joined(separator: "; ")
    }

    /// What a person can do about it; nil where it goes its way.
    var help: String? {
        if let holder { return "'trendy queue show \(holder)' tells what to do about that one" }
        guard let reason else { return nil }
        let id = mutation.id
        switch reason.code {
        case .deletedElsewhere:
            if let parent = reason.fields.first(where: { $0.code == "deleted" })?.field {
                return "'trendy queue edit \(id) \(parent)=ID' and then 'trendy queue retry \(id)' puts it back with "
                    + "another, retry alone does where the deleted one is back, "
                    + "'trendy queue drop \(id)' lets it go"
            }
            return "'trendy queue retry \(id)' puts the record back, 'trendy queue drop \(id)' lets it go"
        case .rejected, .duplicate:
            return "'trendy queue edit \(id) FIELD=VALUE' mends it, 'trendy queue drop \(id)' gives it up"
        case .blamed, .cleared:
            return "'trendy queue retry \(id)' sends it again, 'trendy queue drop \(id)' gives it up"
        case .unreadable:
            return "update Trendy, or give it up with 'trendy queue drop \(id)'"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, operation, state, payload, attempts, reason, answer
        case waitsFor = "waits_for"
        case clientRequestId = "client_request_id"
        case entityType = "entity_type"
        case entityId = "entity_id"
        case createdAt = "created_at"
        case lastError = "last_error"
        case lastAttemptAt = "last_attempt_at"
        case settledAt = "settled_at"
        case mergedInto = "merged_into"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mutation.id, forKey: .id)
        try container.encode(mutation.clientRequestId, forKey: .clientRequestId)
        try container.encode(mutation.entityType, forKey: .entityType)
        try container.encode(mutation.operation, forKey: .operation)
        try container.encode(mutation.entityId, forKey: .entityId)
        try container.encode(mutation.state.name, forKey: .state)
        try container.encode(mutation.createdAt, forKey: .createdAt)
        try container.encode(mutation.attempts, forKey: .attempts)
        try container.encode(mutation.lastError, forKey: .lastError)
        try container.encode(mutation.lastAttemptAt, forKey: .lastAttemptAt)
        try container.encode(reason, forKey: .reason)
        try container.encode(holder, forKey: .waitsFor)
        // One whose payload cannot be read is parked for just that.
        let payload = mutation.payload.flatMap { try? WireCoding.decode(JSONValue.self, from: $0) }
        try container.encode(payload, forKey: .payload)
        guard withOutcome else { return }
        try container.encode(mutation.settledAt, forKey: .settledAt)
        try container.encode(mutation.answer, forKey: .answer)
        var other: Int64?
        if case .merged(let into) = mutation.state { other = into }
        try container.encode(other, forKey: .mergedInto)
    }
}

extension QueuedMutation {
    /// Everything about it, a fact a line.
    func details(zone: LocalZone) -> [String] {
        var facts: [(String, String?)] = [
            ("no", String(mutation.id)), ("state", mutation.state.name.rawValue), ("change", change),
            ("record", mutation.entityId), ("since", zone.minuteText(mutation.createdAt)),
            ("attempts", String(mutation.attempts)), ("last attempt", mutation.lastAttemptAt.map(zone.minuteText)),
            ("settled", mutation.settledAt.map(zone.minuteText)), ("reason", explanation),
            ("last error", mutation.lastError == explanation ? nil : mutation.lastError),
            ("key", mutation.clientRequestId),
        ]
        if let answer = mutation.answer {
            let at = answer.updatedAt.map { " at \(zone.minuteText($0))" } ?? ""
            facts.append(("answer", "record \(answer.entityId)\(at)"))
        }
        let payload = mutation.payload.flatMap { try? WireCoding.decode([String: JSONValue].self, from: $0) } ?? [:]
        let base = mutation.base.flatMap { try? WireCoding.decode([String: JSONValue].self, from: $0) } ?? [:]
        for (field, value) in payload.sorted(by: { $0.key < $1.key }) {
            let former = mutation.operation == .update ? base[field].map { " (was \(JSONText.of($0)))" } : nil
            facts.append((field, JSONText.of(value) + (former ?? "")))
        }
        facts.append(("help", help))
        return FactLines.of(facts)
    }
}
