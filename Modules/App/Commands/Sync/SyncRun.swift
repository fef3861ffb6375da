import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

/// A sync, with the checks before it and the bookkeeping after it.
@MainActor
struct SyncRun {
    let context: CommandContext
    let permission: SyncAuthorization
    private let progress: SyncProgress

    /// - Parameter progress: Shows how far it is; nil for the usual display.
    init(context: CommandContext, progress: SyncProgress? = nil) {
        self.context = context
        self.progress = progress ?? SyncProgress(context: context)
        permission = SyncAuthorization(context: context)
    }

    /// - Throws: ``CommandFailure`` if nobody is signed in or the records belong to another account; ``StoreError``.
    func sync(full: Bool = false) async throws -> SyncReport {
        try await permission.require()
        let store = try context.store
        let report = try await progress.during { await store.syncNow(full: full) }
        if report.failure == nil { try permission.confirm() }
        return report
    }
}

/// Shows the progress of a sync on a terminal.
@MainActor
struct SyncProgress {
    let context: CommandContext
    /// Whether something more important stands in its place.
    var isHidden: @MainActor @Sendable () -> Bool = { false }

    func during<Result: Sendable>(_ work: () async throws -> Result) async throws -> Result {
        let engine = try context.root.engine
        let progress = context.progress("syncing", unit: "changes")
        return try await progress.during({ [isHidden] in if !isHidden() { Self.show(engine, $0) } }, work)
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

/// Tells the person that the sync waits for another one.
@MainActor
struct WaitingNotice {
    let context: CommandContext

    /// How long a sync waits before the person is told.
    private static let patience = Duration.seconds(2)

    func during<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        let notice = Task { [context] in
            try await context.process.clock.sleep(for: Self.patience)
            guard try await context.root.engine.isWaitingForLease else { return }
            try context.remark("another sync of this store is running; waiting for its end")
        }
        defer { notice.cancel() }
        return try await work()
    }
}

/// Checks that somebody is signed in, and that the records on this device belong to that account.
@MainActor
final class SyncAuthorization {
    private let context: CommandContext
    /// The account of the token from the environment, after the server has named it; it cannot change in a process.
    private var tokenOwner: StoreOwner?
    /// The owner of the records, with a server address that is not confirmed yet.
    private var moved: StoreOwner?

    init(context: CommandContext) {
        self.context = context
    }

    func require() async throws {
        // Read each time: somebody may have signed in or out.
        let signIn = try ServerSession.load(context.root.configuration)
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        // What is wrong with the way to the server is said before anything is tried.
        _ = try context.root.configuration.transport(to: current.server)
        let owner = try context.ownership.owner()
        let account = try await account(of: current, signIn, owner)
        guard let account else { return }
        moved = nil
        if let owner, owner.userId == account.userId, owner.server != account.server {
            // The sync finds out whether the server knows the account.
            moved = account
            return
        }
        do {
            try context.ownership.claim(for: account)
        } catch let error as StoreOwnershipError {
            throw CommandFailure.data(
                "the records on this device belong to \(error.owner.name), but you are signed in as \(account.name); \(error.owner.advice(signingIn: "login"))"
            )
        }
    }

    /// Stores the address of the server after it accepted the sign-in.
    func confirm() throws {
        guard let moved else { return }
        try context.ownership.claim(for: moved)
        self.moved = nil
    }

    /// The account of the sign-in; nil if the server cannot be asked and the sync may go on.
    private func account(
        of current: Credentials, _ signIn: ServerSession, _ owner: StoreOwner?
    ) async throws -> StoreOwner? {
        if let id = current.userId {
            return StoreOwner(userId: id, email: current.email, server: current.server.description)
        }
        if let tokenOwner { return tokenOwner }
        let client = try context.root.makeClient(current.server, signIn.credentials)
        do {
            // While the server asks to wait, it is not asked. An answer does not prove that it accepts other requests.
            let account = try await context.root.engine.underBreaker(provesHealth: false) { try await client.me() }
            let asked = StoreOwner(userId: account.id, email: account.email, server: current.server.description)
            if signIn.isFromEnvironment { tokenOwner = asked }
            return asked
        } catch APIError.unauthorized(let reason, let mayPass) where signIn.isFromEnvironment {
            throw TokenRefusal(server: current.server, reason: reason, mayPass: mayPass)
        } catch let error as APIError where error.status == 401 {
            throw error
        } catch APIError.rateLimited(.some) {
            // The breaker is open: the sync sends nothing either, and reports the pause.
            return nil
        } catch let error as APIError {
            // Records with an owner must not be synced with an unknown account.
            guard owner == nil else { throw error }
            // The sync has the same error, and reports it.
            return nil
        }
    }
}
