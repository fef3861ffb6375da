import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct QueueDropCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop changes, and restore their records from the server's version.",
        discussion: """
            A new record is deleted with its children. An edited record gets the server's values. A deleted record
            is restored.
            Example:
              trendy queue drop 12 --yes
              trendy queue drop --reason rejected
            """)

    @OptionGroup var selection: ChangeSelection

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func check() throws { try selection.check() }

    func run(in context: CommandContext) async throws {
        let changes = try selection.changes(in: context)
        var plans: [DroppedChange] = []
        for mutation in changes {
            let preview = try await context.store.previewDrop(id: mutation.id)
            plans.append(DroppedChange(mutation: mutation, summary: preview))
        }
        if !plans.isEmpty {
            try context.confirmation(yes).require("drop \(DropText.lines(of: plans).joined(separator: "; "))")
        }
        var results: [DroppedChange] = []
        for change in changes {
            guard let mutation = try context.reader.mutation(id: change.id) else {
                throw CommandFailure.unknownChange(change.id)
            }
            // The change was dropped together with an earlier one of the list.
            if mutation.state == .dropped { continue }
            let summary = try await context.store.dropMutation(id: mutation.id)
            results.append(DroppedChange(mutation: mutation, summary: summary))
        }
        if context.wantsJSON { return try context.output.jsonArray(results) }
        if results.isEmpty { return try context.output.line("no refused changes") }
        for line in DropText.lines(of: results) { try context.output.line("dropped \(line)") }
    }
}

/// The effects of dropping changes.
struct DropText {
    /// The change, or how many there are.
    let name: String
    let summary: DropSummary

    /// From so many changes on, their effects are told together.
    private static let crowd = 10

    /// A line for each change, or one for many.
    static func lines(of changes: [DroppedChange]) -> [String] {
        if changes.count < crowd {
            return changes.map { DropText(name: QueuedMutation($0.mutation).name, summary: $0.summary).plan }
        }
        var all = DropSummary()
        for summary in changes.map(\.summary) {
            all.removed.merge(summary.removed) { $0 + $1 }
            all.restored.merge(summary.restored) { $0 + $1 }
            all.queuesDeletion = all.queuesDeletion || summary.queuesDeletion
        }
        let more = Set(changes.flatMap(\.summary.dropped)).subtracting(changes.map(\.mutation.id))
        all.dropped = [0] + more.sorted()
        return [DropText(name: "\(FigureText.text(changes.count)) changes", summary: all).plan]
    }

    /// `change 12 (create event type 3f9a1c2e): 1 event type and 3 events are deleted, 3 more changes are dropped`.
    private var plan: String {
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
        return "\(name): \(parts.joined(separator: ", "))"
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
