import ArgumentParser
import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct BackupCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a copy of everything that is on this device into a file.",
        discussion: """
            The copy is of one moment, also while others write: records, what waits to be
            sent, settings of the sync. It has no password and no token. 'restore' brings
            it back.

            Example:
              trendy backup ~/trendy-2026-03-10.sqlite
            """)

    @Argument(help: "The file; it must not exist, unless you agree to its replacement.")
    var file: String

    @Flag(name: .shortAndLong, help: "Replace the file without asking.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        guard file == "-" else { return }
        throw Self.noFile("standard output")
    }

    func run(in context: CommandContext) async throws {
        let stores = try context.root.stores
        try context.ownFiles.refuse(file, "name another file")
        if context.output.isReached(by: file) { throw Self.noFile("\(file), standard output") }
        if Output.isStream(file) { throw Self.noFile("\(file), a pipe or a device") }
        // A link stays one, and the file that it leads to is written.
        let path = try ExportPlace.resolved(file)
        try FileFailure.requireWritable(path)
        let exists = FileManager.default.fileExists(atPath: path)
        if exists {
            try context.confirmation(yes).require("replace the file \(file)")
        }
        let kept = exists ? "\(file) is as it was before" : "no file is left behind"
        let copying = CopyProgress(
            context: context, interruption: "nothing is written, and \(kept); run the same command again")
        let summary = try await copying.during { try await write(stores, to: path, $0) }
        let events = summary.counts[.event] ?? 0
        let waiting = summary.pending > 0 ? " and \(counted(summary.pending, "change")) not sent yet" : ""
        try context.say(
            "wrote \(file) with \(counted(events, "event"))\(waiting)", json: StoreCopyJSON(file, summary))
    }

    private static func noFile(_ place: String) -> CommandFailure {
        .usage("a backup is a database file, which cannot go to \(place); name a file, like trendy.sqlite")
    }

    /// Writes the copy; what is wrong with its file is not said of the store.
    private func write(
        _ stores: LocalStoreFactory, to path: String, _ tell: @escaping @Sendable (StoreCopyProgress) -> Void
    ) async throws -> StoreSummary {
        do {
            return try await stores.backUp(to: path, progress: tell)
        } catch StoreError.inaccessible(let reason) {
            throw CommandFailure(.cannotCreate, "no backup is written: \(reason)")
        }
    }
}

/// A copy of a store, as JSON.
struct StoreCopyJSON: Encodable {
    var file: String
    var counts: [String: Int]
    var pending: Int
    var bytes: Int64
    /// Where the store that was replaced is kept.
    var previous: String?

    init(_ file: String, _ summary: StoreSummary, previous: String? = nil) {
        self.file = file
        self.previous = previous
        counts = Dictionary(summary.counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first })
        pending = summary.pending
        bytes = summary.bytes
    }
}
