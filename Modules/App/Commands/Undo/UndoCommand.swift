import ArgumentParser
import TrendyTerminal

struct UndoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take the last change back: log, edit, rm, import and the like.",
        discussion: """
            Example:
              trendy undo

            A change that was synced is taken back by a new one. Taking an edit back leaves
            fields alone that were changed since, here or on another device; where the edit
            won a conflict, the value that lost comes back. Taking a log or an import back
            deletes its events also where they were edited since, by others too; 'trendy
            redo' brings them back with those edits. Taking a deletion back brings its
            records back as they were when they were deleted.
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
        discussion: """
            Example:
              trendy redo

            An event whose log was taken back returns as it was then, with what others had
            edited in it. Doing an edit again leaves fields alone that were changed since,
            here or on another device; doing a deletion again takes with it what was edited
            since. After any other change on this device there is nothing to do again.
            """)

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
