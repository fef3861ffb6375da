import TrendyData
import TrendyDomain

/// Makes sure that the records here may be synced with the server: somebody is signed in, and they are his.
@MainActor
struct SyncPermission {
    let context: CommandContext

    func require() async throws {
        let signIn = try context.root.signIn()
        guard let current = signIn.current else { throw CommandFailure.notSignedIn(at: signIn.server) }
        let owner = try LocalAccount.load(context.reader)
        let account = try await account(of: current, signIn, owner)
        guard let account else { return }
        if let owner, owner.userId != account.userId {
            guard try LocalAccount.isEmpty(context.reader) else {
                throw CommandFailure.data(
                    "the records here belong to \(owner.name), but the sign-in is that of \(account.name); use another folder (TRENDY_HOME=DIR) for it"
                )
            }
            try account.save(in: context.root.stores, resync: true)
        } else if owner == nil {
            try account.save(in: context.root.stores, resync: false)
        }
    }

    /// Whose sign-in it is; nil where the server cannot be asked and nothing speaks against going on.
    private func account(
        of current: Credentials, _ signIn: SignIn, _ owner: LocalAccount?
    ) async throws -> LocalAccount? {
        if let id = current.userId {
            return LocalAccount(userId: id, email: current.email, server: current.server.description)
        }
        do {
            let account = try await context.root.makeClient(current.server, signIn.credentials).me()
            return LocalAccount(userId: account.id, email: account.email, server: current.server.description)
        } catch APIError.unauthorized where signIn.isFromEnvironment {
            throw CommandFailure.badToken(at: current.server)
        } catch APIError.unauthorized(let reason) {
            throw APIError.unauthorized(reason)
        } catch is APIError {
            // The sync meets the same trouble, sends nothing, and reports it.
            return nil
        }
    }
}
