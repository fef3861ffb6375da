import ArgumentParser
import TrendyData
import TrendyDomain

struct QueueCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue", abstract: "Show the changes that wait, and those that were refused, with the reason.",
        discussion: "Example:\n  trendy queue --json")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let mutations = try context.reader.mutations(MutationQuery(states: [.queued, .sending, .parked]))
        if context.wantsJSON { return try context.output.jsonArray(mutations.map(QueuedMutation.init)) }
        var table = TextTable("NO", "STATE", "CHANGE", "ID", "SINCE", "ATTEMPTS", "REASON")
        for mutation in mutations {
            table.add(
                String(mutation.id), mutation.state.name.rawValue,
                "\(mutation.operation.rawValue) \(mutation.entityType.displayName)", ShortId.of(mutation.entityId),
                context.process.zone.minuteText(mutation.createdAt), String(mutation.attempts),
                QueuedMutation(mutation).explanation ?? "")
        }
        try context.print(table, whenEmpty: "nothing waits")
    }
}

/// A mutation as JSON.
struct QueuedMutation: Encodable {
    private let mutation: PendingMutation

    init(_ mutation: PendingMutation) {
        self.mutation = mutation
    }

    private var reason: ParkReason? {
        if case .parked(let reason) = mutation.state { reason } else { nil }
    }

    /// Why it is still here, nil where it was not sent yet.
    var explanation: String? {
        guard let reason else { return mutation.lastError }
        let fields = reason.fields.filter { !reason.message.contains($0.message) }.map { "\($0.field) \($0.message)" }
        return ([reason.message] + fields).joined(separator: "; ")
    }

    private enum CodingKeys: String, CodingKey {
        case id, operation, state, payload, attempts, reason
        case clientRequestId = "client_request_id"
        case entityType = "entity_type"
        case entityId = "entity_id"
        case createdAt = "created_at"
        case lastError = "last_error"
        case lastAttemptAt = "last_attempt_at"
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
        let payload = try mutation.payload.map { try WireCoding.decode(JSONValue.self, from: $0) }
        try container.encode(payload, forKey: .payload)
    }
}
