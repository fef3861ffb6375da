import ArgumentParser
import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct BackupCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a copy of the store of this device into a file.",
        discussion: """
            The backup has all records, unsent changes and the state of the sync at one
            moment, even if other processes write meanwhile. It has no password and no
            token. 'trendy restore' restores it.

            Example:
              trendy backup ~/trendy-2026-03-10.sqlite
            """)

    @Argument(help: "The file. An existing file is replaced after a question.")
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
        // A symbolic link is kept, and its target is written.
        let path = try ExportPlace.resolved(file)
        try FileFailure.requireWritable(path)
        let exists = FileManager.default.fileExists(atPath: path)
        if exists {
            try context.confirmation(yes).require("replace the file \(file)")
        }
        let kept = exists ? "\(file) is unchanged" : "no file is left behind"
        let copying = CopyProgress(
            context: context, interruption: "no backup was written, and \(kept); run the same command again")
        let summary = try await copying.during { try await write(stores, to: path, $0) }
        let folder = path.hasPrefix("/") ? nil : context.process.workingFolder()
        KnownBackups(context.root.configuration.folders)
            .note(folder.map { "\($0)/\(path)" } ?? path, madeAt: context.now)
        let events = summary.counts[.event] ?? 0
        let waiting = summary.pending > 0 ? " and \(counted(summary.pending, "change")) not sent yet" : ""
        try context.say(
            "wrote \(file) with \(counted(events, "event"))\(waiting)", json: StoreCopyJSON(file, summary))
    }

    private static func noFile(_ place: String) -> CommandFailure {
        .usage("a backup is a database and cannot be written to \(place); name a file, like trendy.sqlite")
    }

    /// Writes the copy; errors of the file are not reported as errors of the store.
    private func write(
        _ stores: LocalStoreFactory, to path: String, _ tell: @escaping @Sendable (StoreCopyProgress) -> Void
    ) async throws -> StoreSummary {
        do {
            return try await stores.backUp(to: path, progress: tell)
        } catch StoreError.inaccessible(let reason) {
            throw CommandFailure(.cannotCreate, "no backup was written: \(reason)")
        }
    }
}

/// A copy of a store, as JSON.
struct StoreCopyJSON: Encodable {
    var file: String
    var counts: [String: Int]
    var pending: Int
    var bytes: Int64
    /// The path of the store that was replaced.
    var previous: String?

    init(_ file: String, _ summary: StoreSummary, previous: String? = nil) {
        self.file = file
        self.previous = previous
        counts = Dictionary(summary.counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first })
        pending = summary.pending
        bytes = summary.bytes
    }
}
