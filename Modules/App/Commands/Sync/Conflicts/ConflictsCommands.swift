import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct ConflictsGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Decide about conflicts between devices: list, show, restore, dismiss.",
        discussion: "Example:\n  trendy conflicts\n  trendy conflicts restore 3f9a1c2e",
        subcommands: [
            ConflictsListCommand.self, ConflictsShowCommand.self, ConflictsRestoreCommand.self,
            ConflictsDismissCommand.self,
        ],
        defaultSubcommand: ConflictsListCommand.self)
}

struct ConflictsListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the conflicts, with the values of the losing side.",
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
        commandName: "show", abstract: "Show a conflict, and how to resolve it.",
        discussion: "Example:\n  trendy conflicts show 3f9a1c2e")

    @Argument(help: "The conflict: its id, or the beginning or end of the id.")
    var id: String

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflict = try lookup.find(id)
        if context.wantsJSON { return try context.output.json(ConflictJSON(conflict: conflict)) }
        var text = try lookup.text(of: conflict)
        text.parentHelp = try lookup.parentHelp(of: conflict)
        for line in text.details { try context.output.line(line) }
    }
}

struct ConflictsRestoreCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the losing side: the other value, or the whole record.",
        discussion: "Example:\n  trendy conflicts restore 3f9a1c2e")

    @Argument(help: "The conflicts: ids, or beginnings or ends of ids.")
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
        abstract: "Keep the winning side. A record that another device deleted is deleted here, too.",
        discussion: "Example:\n  trendy conflicts dismiss 3f9a1c2e")

    @Argument(help: "The conflicts: ids, or beginnings or ends of ids.")
    var ids: [String] = []

    @Flag(name: .long, help: "Dismiss all conflicts.")
    var all = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if all == ids.isEmpty { return }
        throw CommandFailure.usage(
            all ? "--all cannot be used with names of conflicts" : "name a conflict, or give --all")
    }

    func run(in context: CommandContext) async throws {
        let lookup = ConflictLookup(context: context)
        let conflicts = all ? try lookup.all() : try lookup.find(ids)
        if conflicts.isEmpty { return try context.say("no conflicts", json: [String]()) }
        let leaving = try conflicts.filter { try takesRecord($0, in: context) }
        if !leaving.isEmpty {
            let records = leaving.map { "the \($0.entityType.displayName) \(ShortId.of($0.entityId))" }
            try context.confirmation(yes).require(
                "also delete \(records.joined(separator: ", ")) here, with the changes of this device")
        }
        try await ConflictDecision(context: context, done: "dismissed", outcome: \.summary).make(about: conflicts) {
            try await context.store.dismissConflict(id: $0.id)
        }
    }

    /// Whether dismissing the conflict deletes a record, which another device has deleted.
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
