import TrendyData
import TrendyDomain
import TrendySync

/// One sync of a command, with what must be right before it and remembered after it.
@MainActor
struct SyncRun {
    let context: CommandContext
    let permission: SyncPermission

    init(context: CommandContext) {
        self.context = context
        permission = SyncPermission(context: context)
    }

    /// - Throws: ``CommandFailure`` where nobody is signed in, or the records are another's; ``StoreError``.
    func sync(full: Bool = false) async throws -> SyncReport {
        try await permission.require()
        let store = try context.store
        let report = try await SyncProgress(context: context).during { await store.syncNow(full: full) }
        if report.failure == nil { try permission.confirm() }
        return report
    }
}
