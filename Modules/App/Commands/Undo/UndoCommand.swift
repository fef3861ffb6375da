import ArgumentParser
import TrendyTerminal

struct UndoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last change on this device: log, edit, rm, import and others.",
        discussion: """
            Example:
              trendy undo

            Undo also works after a sync: it is a change like any other. Undo of an edit
            keeps fields that were changed since then, on any device. If the edit won a
            conflict, the other value returns. Undo of a log or an import deletes the
            events, even if they were edited since then; 'trendy redo' restores them with
            those edits. Undo of a deletion restores the records as they were.
            'queue drop' cannot be undone; the next 'undo' says so, once.
            """)

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let store = try context.store
        let run = ReversalRun(context: context, doing: "undoing")
        guard let summary = try await run.run({ try await store.undo(telling: $0) }) else {
            throw CommandFailure.data("there is nothing to undo on this device")
        }
        let text = try summary.text(.undo, in: context)
        try context.say("undid \(text)", json: summary)
    }
}

struct RedoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Redo the change that was undone last.",
        discussion: """
            Example:
              trendy redo

            Redo of a log restores the event with all edits that it had. Redo of an edit
            keeps fields that were changed since then, on any device. Redo of a deletion
            deletes the records even if they were edited since then. After another change
            on this device there is nothing to redo.
            """)

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let store = try context.store
        let run = ReversalRun(context: context, doing: "redoing")
        guard let summary = try await run.run({ try await store.redo(telling: $0) }) else {
            throw CommandFailure.data("there is nothing to redo: nothing was undone since the last change")
        }
        let text = try summary.text(.redo, in: context)
        try context.say("redid \(text)", json: summary)
    }
}
