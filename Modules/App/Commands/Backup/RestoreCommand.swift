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
        commandName: "restore", abstract: "Replace the store of this device by a backup.",
        discussion: """
            The present store is kept in a file next to the new one, and can be restored
            like a backup. The next sync fetches what was synced after the backup. Changes
            that were never sent are only in the kept file.

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
            context: context,
            interruption: "nothing was restored, and the store is unchanged; run the same command again")
        let found = try await copying.during { try await inspect(stores, $0) }
        let exists = stores.exists
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
        let damage = summary.isPreviousDamaged ? ", still damaged" : ""
        let kept = exists ? "; the former store is in \(previous)\(damage)" : ""
        if summary.isPreviousDamaged {
            try context.remark(
                "other running trendy processes, such as 'trendy sync --watch', still use the damaged file; "
                    + "restart them")
        }
        try context.say(
            "restored \(events) from \(file)\(kept)",
            json: StoreCopyJSON(file, summary, previous: exists ? previous : nil))
    }

    private func refuseRunningSync(lease: String?, at now: Timestamp) throws {
        guard let holder = LeaseOwner.process.holder(of: lease, at: now) else { return }
        throw CommandFailure(
            .tryLater, "a sync is running (process \(holder)); wait until it ends, or stop it, then try again")
    }

    /// Refuses a file that is not a database, or cannot be read.
    @MainActor
    private func requireBackup(in context: CommandContext) throws {
        try FileFailure.requireReadable(file)
        let kind = try ImportFile(file == "-" ? "./-" : file, context: context).kind()
        if kind == .database { return }
        let advice = kind.advice(file).map { " (\($0))" } ?? ""
        throw CommandFailure.data(
            "\(file) is not a backup but \(kind.text)\(advice); name a file that 'trendy backup' wrote")
    }

    /// The contents of the backup; errors name the backup, and not the store.
    private func inspect(
        _ stores: LocalStoreFactory, _ tell: @escaping @Sendable (StoreCopyProgress) -> Void
    ) async throws -> StoreSummary {
        do {
            return try await stores.inspectBackup(at: file, progress: tell)
        } catch StoreError.corrupt(let reason) {
            // The rest of the message is advice for the store of this device.
            let fact = reason.split(separator: ";").first.map(String.init) ?? reason
            throw CommandFailure.data("the backup cannot be restored: \(fact); name a file that 'trendy backup' wrote")
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
        // A damaged store has no figures, but must be replaceable.
        guard let counts = try? context.reader.counts(), let waiting = try? context.reader.mutationCounts() else {
            return "replace the damaged store of this device by \(file) with \(theirs)"
        }
        let unsent = [MutationState.Name.queued, .sending, .parked].reduce(0) { $0 + waiting[$1, default: 0] }
        let note = unsent > 0 ? " (\(counted(unsent, "change")) not sent yet)" : ""
        return "replace the \(counted(counts[.event] ?? 0, "event")) of this device\(note) by \(file) with \(theirs)"
    }

    /// A free file name with the time, and a number if there are several of one second.
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
