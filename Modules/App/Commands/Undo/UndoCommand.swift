import ArgumentParser

struct UndoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take the last change back: log, edit, rm, import and the like.",
        discussion: """
            Example:
              trendy undo

            A change that was synced is taken back by a new one. What was changed since,
            here or on another device, stays as it is. 'trendy redo' does it again.
            After 'queue drop' undo says once that it cannot take that back.
            """)

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let store = try context.store
        let run = ReversalRun(context: context, doing: "taking back")
        guard let summary = try await run.run({ try await store.undo(telling: $0) }) else {
            throw CommandFailure.data("there is nothing to take back on this device")
        }
        let text = try summary.text(.undo, in: context)
        try context.say("took back: \(text)", json: summary)
    }
}

struct RedoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Do the change again that was taken back last.",
        discussion: "Example:\n  trendy redo")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let store = try context.store
        let run = ReversalRun(context: context, doing: "doing again")
        guard let summary = try await run.run({ try await store.redo(telling: $0) }) else {
            throw CommandFailure.data("there is nothing to do again: nothing was taken back since the last change")
        }
        let text = try summary.text(.redo, in: context)
        try context.say("did again: \(text)", json: summary)
    }
}
