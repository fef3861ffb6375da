import TrendyData
import TrendyDomain
import TrendySync

/// Starts a sync in the background after a command that has changed something.
///
/// It costs the command a look at the sign-in and the store, and the start of a process that it does not wait for.
@MainActor
struct Autosync {
    let context: CommandContext

    /// Starts a background sync, unless one waits already or it would send nothing.
    ///
    /// The command has done its work by now: whatever stands against a sync is not its trouble, and the next sync, or
    /// `trendy status`, tells.
    func startIfDue() async {
        guard context.root.configuration.autosync, context.wantsSync, let launcher = context.process.launcher,
            (try? await AutosyncNeed(context: context).isThere()) == true,
            let lock = AutosyncLock(path: context.root.configuration.folders.autosyncLock)
        else { return }
        defer { lock.close() }
        lock.touch()
        guard lock.take() else { return }
        if !launcher.start(PlainSync.backgroundArguments, lock.descriptor) { lock.release() }
    }
}

/// Whether a sync that nobody asked for has anything to do, and may do it now.
@MainActor
struct AutosyncNeed {
    let context: CommandContext

    /// - Throws: ``StoreError``, ``CommandFailure`` or `CredentialStoreError`.
    func isThere() async throws -> Bool {
        guard try SignIn.load(context.root.configuration).current != nil else { return false }
        // While the server's pause lasts, or the wait after lost connections, it would send nothing.
        guard try context.root.engine.nextAttemptTime() == nil else { return false }
        let reader = try context.reader
        if try !reader.mutations(MutationQuery(states: [.queued, .sending], limit: 1)).isEmpty { return true }
        // Nothing was ever received here.
        return try !context.root.engine.position().hasReceivedAll
    }
}
