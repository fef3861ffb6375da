import ArgumentParser
import Foundation
import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync
import TrendyTerminal

struct RestoreCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Bring back what 'backup' wrote.",
        discussion: """
            What is here now is kept in a file beside the store, and can be restored in
            turn. The next sync brings what was synced since the backup; what was not sent
            since is in the kept file alone.

            Example:
              trendy restore ~/trendy-2026-03-10.sqlite
            """)

    @Argument(help: "The file that 'backup' wrote.")
    var file: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let stores = try context.root.stores
        try context.ownFiles.refuse(file, "name a file that 'trendy backup' wrote")
        try requireBackup(in: context)
        let copying = CopyProgress(
            context: context, interruption: "nothing is restored, the store is as it was; run the same command again")
        let found = try await copying.during { try await inspect(stores, $0) }
        let exists = FileManager.default.fileExists(atPath: stores.path)
        if exists && !yes {
            try context.confirmation(yes).require(try question(found, in: context))
        }
        let previous = previousPath(context)
        let now = context.now
        let summary = try await copying.during { tell in
            try await stores.restore(
                from: file, inspected: found, keepingPreviousAt: previous, forgetting: [MetadataKey.lease],
                permit: { try refuseRunningSync(lease: $0(MetadataKey.lease), at: now) }, progress: tell)
        }
        let events = counted(summary.counts[.event] ?? 0, "event")
        let damage = summary.isPreviousDamaged ? ", damaged as it was" : ""
        let kept = exists ? "; what was here is in \(previous)\(damage)" : ""
        if summary.isPreviousDamaged {
            try context.remark(
                "other trendy processes that are running, such as 'trendy sync --watch', go on with the damaged file; "
                    + "start them anew")
        }
        try context.say(
            "restored \(events) from \(file)\(kept)",
            json: StoreCopyJSON(file, summary, previous: exists ? previous : nil))
    }

    private func refuseRunningSync(lease: String?, at now: Timestamp) throws {
        guard let holder = LeaseOwner.process.holder(of: lease, at: now) else { return }
        throw CommandFailure(
            .tryLater, "a sync is running (process \(holder)); wait until it has ended, or end it, and restore then")
    }

    /// Refuses what is no database, or cannot be read, in the words of who has named it.
    @MainActor
    private func requireBackup(in context: CommandContext) throws {
        try FileFailure.requireReadable(file)
        let kind = try ImportFile(file == "-" ? "./-" : file, context: context).kind()
        if kind == .database { return }
        let advice = kind.advice(file).map { " (\($0))" } ?? ""
        throw CommandFailure.data(
            "\(file) is no backup, but \(kind.text)\(advice); name a file that 'trendy backup' wrote")
    }

    /// What the backup holds; what is wrong with it is said of the backup, and not of the store here.
    private func inspect(
        _ stores: LocalStoreFactory, _ tell: @escaping @Sendable (StoreCopyProgress) -> Void
    ) async throws -> StoreSummary {
        do {
            return try await stores.inspectBackup(at: file, progress: tell)
        } catch StoreError.corrupt(let reason) {
            // What follows is advice for the store of this device.
            let fact = reason.split(separator: ";").first.map(String.init) ?? reason
            throw CommandFailure.data("this cannot be restored: \(fact); name a file that 'trendy backup' wrote")
        } catch StoreError.newerVersion(let found, _) {
            throw CommandFailure.data(
                "\(file) was written by a newer version of Trendy (schema \(found)); update it, then restore")
        } catch StoreError.inaccessible(let reason) {
            throw CommandFailure.data("the backup cannot be read: \(reason)")
        }
    }

    @MainActor
    private func question(_ found: StoreSummary, in context: CommandContext) throws -> String {
        let theirs = counted(found.counts[.event] ?? 0, "event")
        // A store that is damaged has no figures, and is what a backup is for.
        guard let counts = try? context.reader.counts(), let waiting = try? context.reader.mutationCounts() else {
            return "put the \(theirs) of \(file) in the place of the store here, which cannot be read"
        }
        let unsent = [MutationState.Name.queued, .sending, .parked].reduce(0) { $0 + waiting[$1, default: 0] }
        let note = unsent > 0 ? ", with \(counted(unsent, "change")) not sent yet" : ""
        return "put the \(theirs) of \(file) in the place of the \(counted(counts[.event] ?? 0, "event")) here\(note)"
    }

    /// A name that no file has: the time makes it readable, a number tells two of one second apart.
    @MainActor
    private func previousPath(_ context: CommandContext) -> String {
        let civil = context.process.zone.civil(context.now)
        let day = context.process.zone.dayText(context.now)
        let clock = [civil.hour, civil.minute, civil.second].map(twoDigits).joined()
        let base = "\(context.root.configuration.folders.store).before-restore-\(day)-\(clock)"
        var path = base
        var number = 1
        while FileManager.default.fileExists(atPath: path) {
            number += 1
            path = "\(base)-\(number)"
        }
        return path
    }
}
