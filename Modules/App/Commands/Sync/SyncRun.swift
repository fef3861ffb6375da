import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

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

/// Shows on a terminal what a sync is doing, for as long as it does it.
@MainActor
struct SyncProgress {
    let context: CommandContext

    func during<Result: Sendable>(_ work: () async throws -> Result) async throws -> Result {
        let engine = try context.root.engine
        let progress = context.progress("syncing", unit: "changes")
        return try await progress.during({ Self.show(engine, $0) }, work)
    }

    private static func show(_ engine: SyncEngine, _ progress: Progress) {
        switch engine.state {
        case .syncing(let synced, let total):
            progress.show(synced, of: total, unit: "changes", doing: "sending")
        case .pulling:
            progress.show(engine.receivedCount, unit: "records", doing: "receiving")
        case .idle, .rateLimited, .error: break
        }
    }
}

/// Tells a person that the sync he asked for waits for another one to end.
@MainActor
struct WaitingNotice {
    let context: CommandContext

    /// How long a sync may wait for another before that is said.
    private static let patience = Duration.seconds(2)

    func during<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        let notice = Task { [context] in
            try await context.process.clock.sleep(for: Self.patience)
            guard try await context.root.engine.isWaitingForLease else { return }
            try context.remark("another sync of these records is running; this one begins when that has ended")
        }
        defer { notice.cancel() }
        return try await work()
    }
}

/// Makes sure that the records here may be synced with the server: somebody is signed in, and they are his.
@MainActor
final class SyncPermission {
    private let context: CommandContext
    /// Whose the token of the environment is, once the server has said so: it does not change under a process.
    private var tokenOwner: StoreOwner?
    /// The owner of the records, at another address than the last that is known to be his.
    private var moved: StoreOwner?

    init(context: CommandContext) {
        self.context = context
    }

    func require() async throws {
        // Read anew each time: somebody may have signed in or out since.
        let signIn = try ServerSession.load(context.root.configuration)
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        let owner = try context.ownership.owner()
        let account = try await account(of: current, signIn, owner)
        guard let account else { return }
        moved = nil
        if let owner, owner.userId == account.userId, owner.server != account.server {
            // Whether he is known there, the sync finds out.
            moved = account
            return
        }
        do {
            try context.ownership.claim(for: account)
        } catch let error as StoreOwnershipError {
            throw CommandFailure.data(
                "the records here belong to \(error.owner.name), but the sign-in is that of \(account.name); use another folder (TRENDY_HOME=DIR) for it"
            )
        }
    }

    /// Remembers the address of the server, once it has let somebody in.
    func confirm() throws {
        guard let moved else { return }
        try context.ownership.claim(for: moved)
        self.moved = nil
    }

    /// Whose sign-in it is; nil where the server cannot be asked and nothing speaks against going on.
    private func account(
        of current: Credentials, _ signIn: ServerSession, _ owner: StoreOwner?
    ) async throws -> StoreOwner? {
        if let id = current.userId {
            return StoreOwner(userId: id, email: current.email, server: current.server.description)
        }
        if let tokenOwner { return tokenOwner }
        let client = try context.root.makeClient(current.server, signIn.credentials)
        do {
            // While the server wants silence it is not asked. That it answers does not mean that it takes anything else.
            let account = try await context.root.engine.underBreaker(provesHealth: false) { try await client.me() }
            let asked = StoreOwner(userId: account.id, email: account.email, server: current.server.description)
            if signIn.isFromEnvironment { tokenOwner = asked }
            return asked
        } catch APIError.unauthorized where signIn.isFromEnvironment {
            throw CommandFailure.badToken(at: current.server)
        } catch APIError.unauthorized(let reason) {
            throw APIError.unauthorized(reason)
        } catch APIError.rateLimited(.some) {
            // The breaker is open: the sync sends nothing either, and says until when.
            return nil
        } catch let error as APIError {
            // Records that belong to somebody are not synced as somebody who is not known.
            guard owner == nil else { throw error }
            // The sync meets the same trouble, and reports it.
            return nil
        }
    }
}
