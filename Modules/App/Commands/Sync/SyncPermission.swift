import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

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
        let signIn = try SignIn.load(context.root.configuration)
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
        of current: Credentials, _ signIn: SignIn, _ owner: StoreOwner?
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
