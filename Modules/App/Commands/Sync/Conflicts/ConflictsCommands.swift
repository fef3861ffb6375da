import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct ConflictsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Changes made here and elsewhere that could not both stand: list, show, restore, dismiss.",
        discussion: "Example:\n  trendy conflicts\n  trendy conflicts restore 3f9a1c2e",
        subcommands: [
            ConflictsListCommand.self, ConflictsShowCommand.self, ConflictsRestoreCommand.self,
            ConflictsDismissCommand.self,
        ],
        defaultSubcommand: ConflictsListCommand.self)
}

struct ConflictsListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the conflicts, with what was kept of the side that lost.",
        discussion: "Example:\n  trendy conflicts list --json")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflicts = try lookup.all()
        if context.wantsJSON { return try context.output.jsonArray(conflicts.map(ConflictJSON.init)) }
        var table = TextTable("ID", "RECORD", "FOUND", "CONFLICT")
        for conflict in conflicts {
            try table.add(
                ShortId.of(conflict.id), "\(conflict.entityType.displayName) \(ShortId.of(conflict.entityId))",
                context.process.zone.minuteText(conflict.detectedAt), lookup.text(of: conflict).summary)
        }
        try context.print(table, whenEmpty: "no conflicts")
    }
}

struct ConflictsShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about a conflict, and what can be done.",
        discussion: "Example:\n  trendy conflicts show 3f9a1c2e")

    @Argument(help: "The conflict: its id, or a beginning or end of it.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflict = try lookup.find(id)
        if context.wantsJSON { return try context.output.json(ConflictJSON(conflict: conflict)) }
        for line in try lookup.text(of: conflict).details { try context.output.line(line) }
    }
}

struct ConflictsRestoreCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Bring back what lost: the other value, or the whole record.",
        discussion: "Example:\n  trendy conflicts restore 3f9a1c2e")

    @Argument(help: "The conflicts: their ids, or beginnings or ends of them.")
    var ids: [String]

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflicts = try lookup.find(ids)
        for conflict in conflicts {
            let text = try lookup.text(of: conflict)
            if text.obstacle != nil { throw CommandFailure.data(text.help) }
        }
        let decision = ConflictDecision(context: context, done: "restored", outcome: \.restored)
        try await decision.make(about: conflicts) { conflict in
            do {
                try await context.store.restoreConflict(id: conflict.id)
            } catch LedgerError.parentGone(_, _, let parent, let parentId) {
                throw try lookup.failure(toRestore: conflict, without: parent, parentId)
            }
        }
    }
}

struct ConflictsDismissCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dismiss",
        abstract: "Take conflicts off the list and leave what won; a record that was deleted elsewhere goes.",
        discussion: "Example:\n  trendy conflicts dismiss 3f9a1c2e")

    @Argument(help: "The conflicts: their ids, or beginnings or ends of them.")
    var ids: [String] = []

    @Flag(name: .long, help: "Every conflict that is listed.")
    var all = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if all == ids.isEmpty { return }
        throw CommandFailure.usage(
            all ? "--all is every conflict; name none beside it" : "name a conflict, or give --all")
    }

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflicts = all ? try lookup.all() : try lookup.find(ids)
        if conflicts.isEmpty { return try context.say("no conflicts", json: [String]()) }
        let leaving = try conflicts.filter { try takesRecord($0, in: context) }
        if !leaving.isEmpty {
            let records = leaving.map { "the \($0.entityType.displayName) \(ShortId.of($0.entityId))" }
            try context.confirmation(yes).require(
                "delete \(records.joined(separator: ", ")) here too, with what was changed here")
        }
        try await ConflictDecision(context: context, done: "dismissed", outcome: \.summary).make(about: conflicts) {
            try await context.store.dismissConflict(id: $0.id)
        }
    }

    /// Whether a record goes with the conflict: one that was deleted elsewhere, and is kept for the person to decide.
    @MainActor
    private func takesRecord(_ conflict: SyncConflict, in context: CommandContext) throws -> Bool {
        guard conflict.kind == .editedHereDeletedElsewhere else { return false }
        let parked = MutationQuery(
            states: [.parked], entityType: conflict.entityType, entityId: conflict.entityId)
        return try context.reader.mutations(parked).contains { mutation in
            if case .parked(let reason) = mutation.state { reason.code == .deletedElsewhere } else { false }
        }
    }
}
