import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QueueGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Manage waiting and refused changes: list, show, retry, edit, drop.",
        discussion: "Example:\n  trendy queue\n  trendy queue retry --all\n  trendy queue drop 12",
        subcommands: [
            QueueListCommand.self, QueueShowCommand.self, QueueRetryCommand.self, QueueEditCommand.self,
            QueueDropCommand.self,
        ],
        defaultSubcommand: QueueListCommand.self)
}

struct QueueListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List waiting and refused changes, with the reasons.",
        discussion: """
            --all also lists changes that were accepted, merged or dropped recently.
            Example:
              trendy queue list --json
            """)

    @Flag(name: .long, help: "Also list settled changes, with their results.")
    var all = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let query = all ? MutationQuery() : MutationQuery(states: [.queued, .sending, .parked])
        let mutations = try context.reader.mutations(query)
        let held = try BlockedChanges(context)
        let isSyncing = try await context.isSyncing
        let shown = mutations.map {
            QueuedMutation($0, heldBy: held.holder(of: $0), isSyncing: isSyncing, withOutcome: all)
        }
        if context.wantsJSON { return try context.output.jsonArray(shown) }
        try context.print(
            table(of: Array(zip(mutations, shown)), context), whenEmpty: all ? "no changes" : "no changes wait")
    }

    @MainActor
    private func table(of mutations: [(PendingMutation, QueuedMutation)], _ context: CommandContext) -> TextTable {
        let zone = context.process.zone
        var table =
            all
            ? TextTable("NO", "STATE", "CHANGE", "ID", "SINCE", "SETTLED", "ATTEMPTS", "REASON")
            : TextTable("NO", "STATE", "CHANGE", "ID", "SINCE", "ATTEMPTS", "REASON")
        for (mutation, shown) in mutations {
            let start = [
                String(mutation.id), shown.state, shown.change, ShortId.of(mutation.entityId),
                zone.minuteText(mutation.createdAt),
            ]
            let settled = all ? [mutation.settledAt.map(zone.minuteText) ?? ""] : []
            table.add(start + settled + [String(mutation.attempts), shown.explanation ?? ""])
        }
        return table
    }
}

struct QueueShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a change: its fields, why it waits, and what to do.",
        discussion: "Example:\n  trendy queue show 12")

    @Argument(help: "The number of the change, from 'trendy queue list'.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let id = try ChangeNumber.read(id)
        guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
        let shown = QueuedMutation(
            mutation, heldBy: try BlockedChanges(context).holder(of: mutation), isSyncing: try await context.isSyncing,
            withOutcome: true, without: try MissingParents(context: context).reference(of: mutation))
        if context.wantsJSON { return try context.output.json(shown) }
        let base = try context.reader.base(of: mutation.entityType, id: mutation.entityId)
        for line in shown.details(beside: base?.document ?? [:], times: context.times) { try context.output.line(line) }
    }
}

/// The number of a change.
enum ChangeNumber {
    /// Reads a number; refuses other texts.
    static func read(_ text: String) throws -> Int64 {
        if let number = Int64(text) { return number }
        throw CommandFailure.usage("'\(text)' is not the number of a change; 'trendy queue' lists the numbers")
    }
}

extension CommandFailure {
    static func unknownChange(_ id: Int64) -> CommandFailure {
        .data("there is no change \(id); see 'trendy queue list --all'")
    }
}

struct QueueDropCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop changes, and restore their records from the server's version.",
        discussion: """
            A new record is deleted with its children. An edited record gets the server's values. A deleted record
            is restored.
            Example:
              trendy queue drop 12 --yes
            """)

    @Argument(help: "The numbers of the changes, from 'trendy queue list'.")
    var ids: [String]

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let ids = try ids.map(ChangeNumber.read)
        var plans: [String] = []
        for id in ids {
            guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
            let preview = try await context.store.previewDrop(id: id)
            plans.append(DropText(mutation: mutation, summary: preview).plan)
        }
        try context.confirmation(yes).require("drop \(plans.joined(separator: "; "))")
        var results: [DroppedChange] = []
        for id in ids {
            guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
            // The change was dropped together with an earlier one of the list.
            if mutation.state == .dropped { continue }
            let summary = try await context.store.dropMutation(id: id)
            results.append(DroppedChange(mutation: mutation, summary: summary))
        }
        if context.wantsJSON { return try context.output.jsonArray(results) }
        for result in results {
            try context.output.line("dropped \(DropText(mutation: result.mutation, summary: result.summary).plan)")
        }
    }
}

/// The effects of dropping a change.
struct DropText {
    let mutation: PendingMutation
    let summary: DropSummary

    /// `change 12 (create event type 3f9a1c2e): 1 event type and 3 events are deleted, 3 more changes are dropped`.
    var plan: String {
        var parts: [String] = []
        if let records = list(summary.removed) {
            parts.append("\(records) \(verb(summary.removed, "is deleted", "are deleted"))")
        }
        if let records = list(summary.restored) {
            parts.append("\(records) \(verb(summary.restored, "comes", "come")) back")
        }
        let more = summary.dropped.count - 1
        if more > 0 { parts.append("\(counted(more, "more change")) \(more == 1 ? "is" : "are") dropped") }
        if summary.queuesDeletion { parts.append("it is deleted on the server, if it is there") }
        if parts.isEmpty { parts.append("the record gets the server's version") }
        return "\(QueuedMutation(mutation).name): \(parts.joined(separator: ", "))"
    }

    private func verb(_ counts: [EntityType: Int], _ one: String, _ many: String) -> String {
        counts.values.reduce(0, +) == 1 ? one : many
    }

    private func list(_ counts: [EntityType: Int]) -> String? {
        let parts = EntitySchema.trendy.types.compactMap { type in
            counts[type.entityType].map { counted($0, type.entityType.displayName) }
        }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }
}

/// A dropped change and its effects, as JSON.
struct DroppedChange: Encodable {
    let mutation: PendingMutation
    let summary: DropSummary

    private enum CodingKeys: String, CodingKey {
        case id, dropped, removed, restored
        case queuesDeletion = "queues_deletion"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mutation.id, forKey: .id)
        try container.encode(summary.dropped, forKey: .dropped)
        try container.encode(names(summary.removed), forKey: .removed)
        try container.encode(names(summary.restored), forKey: .restored)
        try container.encode(summary.queuesDeletion, forKey: .queuesDeletion)
    }

    private func names(_ counts: [EntityType: Int]) -> [String: Int] {
        Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
    }
}
