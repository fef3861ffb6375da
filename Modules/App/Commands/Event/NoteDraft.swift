import Foundation
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A note that a person writes in an editor, for `-e`.
@MainActor
enum NoteDraft {
    /// Stores an event, with the note from the editor if `-e` was given.
    ///
    /// If that fails, the file with the note is kept, and the error has its path.
    ///
    /// - Parameters:
    ///   - isWanted: Whether `-e` was given. The store must be open, so that its folder exists.
    ///   - before: The present note, which the editor shows.
    ///   - store: Stores the event with the note; nil without `-e`.
    static func during<Value>(
        _ isWanted: Bool, before: String?, in context: CommandContext, _ store: (String?) async throws -> Value
    ) async throws -> Value {
        guard isWanted else { return try await store(nil) }
        let name = "note-\(ShortId.of(context.makeId())).txt"
        let file = URL(filePath: context.root.configuration.folders.data).appending(path: name)
        let beginning = before.map { $0 + "\n" } ?? ""
        do {
            let written = try Editor(context.process.environment).edit(beginning, in: file)
            let note = Names.trimmed(written)
            guard !note.isEmpty else {
                throw CommandFailure.data("the note is empty, so nothing was stored; leave out -e if you want no note")
            }
            let excess = note.unicodeScalars.count - Event.noteLimit
            guard excess <= 0 else {
                throw CommandFailure.data(
                    "the note is \(FigureText.counted(excess, "character")) too long: an event has room for "
                        + "\(FigureText.text(Event.noteLimit)); shorten it, and give it with --note \"$(cat FILE)\"")
            }
            let value = try await store(note)
            try? FileManager.default.removeItem(at: file)
            return value
        } catch {
            let failure = CommandFailure(error)
            let path = file.path(percentEncoded: false)
            let left = FileManager.default.contents(atPath: path) ?? Data()
            guard left.isEmpty || left == Data(beginning.utf8) else {
                throw CommandFailure(failure.status, failure.message.withHint("the note is kept in \(path)"))
            }
            try? FileManager.default.removeItem(at: file)
            throw failure
        }
    }
}
