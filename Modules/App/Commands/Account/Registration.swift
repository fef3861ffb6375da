import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal

/// Signs in or up and stores the credentials, without mixing the records of two accounts.
@MainActor
struct Registration {
    enum Way: String { case signup, login }

    let context: CommandContext
    let way: Way
    /// The code of an invitation.
    var invite: String?

    /// - Parameter now: Whether to contact the server even if it asked to wait.
    func run(_ options: AccountOptions, now: Bool) async throws {
        let address = try options.address(in: context)
        let file = FileCredentialStore(file: URL(fileURLWithPath: context.root.configuration.folders.credentials))
        try requireNoToken()
        if way == .signup {
            try refusingOthers(than: "a new account at \(address)") { try context.ownership.requireRoom() }
        }
        let email = try options.email(in: context)
        let fresh = InMemoryCredentialStore()
        let client = try context.root.makeClient(address, fresh)
        let passwords = options.passwordSource(in: context)
        try passwords.require()
        let requests = try SignInRequests(client, command: way.rawValue, in: context)
        if now { try await requests.endPause() }
        // The password must not be sent to something that is not a Trendy server.
        try await checkHealth(requests)
        let password = try passwords.password(isNew: way == .signup)
        let credentials = try await ask(requests, email, password)
        let account = try await account(of: credentials, requests, email)
        do {
            try refusingOthers(than: account.name) { try context.ownership.claim(for: account) }
        } catch {
            // The token is useless then. If the server cannot be told, the token expires.
            try? await client.logout()
            throw error
        }
        try file.save(credentials)
        context.hasSignedIn = true
        let verb = way == .signup ? "created the account \(email) and signed in" : "signed in as \(email)"
        try context.say("\(verb) at \(address)", json: SignInJSON(isSignedIn: true, account: account))
    }

    private func checkHealth(_ requests: SignInRequests) async throws {
        do {
            try await requests.send(provesHealth: false) { try await $0.checkIdentity() }
        } catch APIError.unauthorized {
            throw CommandFailure.refusedHealthCheck(of: requests.server)
        }
    }

    private func ask(_ requests: SignInRequests, _ email: String, _ password: String) async throws -> Credentials {
        do {
            return try await requests.send { client in
                switch way {
                case .signup: try await client.signup(email: email, password: password, invite: invite)
                case .login: try await client.login(email: email, password: password)
                }
            }
        } catch APIError.unauthorized(let reason, mayPass: true) {
            throw CommandFailure.signIn(
                "the server refuses the sign-in (\(reason)); check the e-mail address and the password; if both are right, "
                    + "\(CommandFailure.outage): try again later")
        } catch APIError.unauthorized {
            let refusal = "the server does not accept this e-mail address and password; check both"
            throw CommandFailure.signIn(
                try isOwner(email)
                    ? "\(refusal); if the account was deleted, \(StoreOwner.moving(signingIn: "signup"))" : refusal)
        } catch APIError.http(403, let problem) where way == .signup {
            let reason = problem.detail ?? "the server creates no accounts without an invitation"
            throw CommandFailure.signIn("\(reason); with an invitation, use 'trendy signup --invite CODE'")
        } catch APIError.http(409, _) {
            throw CommandFailure.data("the account \(email) exists already; use 'trendy login'")
        }
    }

    private func account(
        of credentials: Credentials, _ requests: SignInRequests, _ email: String
    ) async throws -> StoreOwner {
        var id = credentials.userId
        if id == nil { id = try await requests.send(provesHealth: false) { try await $0.me().id } }
        return StoreOwner(
            userId: id ?? "", email: credentials.email ?? email, server: credentials.server.description)
    }

    private func requireNoToken() throws {
        guard context.root.configuration.token == nil else {
            throw CommandFailure.usage("TRENDY_TOKEN is set and overrides the sign-in; unset it first")
        }
    }

    /// Whether the records on this device belong to the account with this address.
    private func isOwner(_ email: String) throws -> Bool {
        try context.ownership.owner()?.email?.lowercased() == email.lowercased()
    }

    /// Refuses an account other than the one that owns the records on this device.
    private func refusingOthers(than name: String, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch let error as StoreOwnershipError {
            let (owner, other) =
                error.owner.name == name
                ? ("an earlier account \(name)", "the present account of that name") : (error.owner.name, name)
            throw CommandFailure.data(
                "the records on this device belong to \(owner) and cannot be mixed with those of \(other); \(error.owner.advice(signingIn: way.rawValue))"
            )
        }
    }
}

extension StoreOwner {
    /// What to do where the records here are not those of the account that somebody signs in to: `login` or `signup`.
    func advice(signingIn command: String) -> String {
        "keep them apart with another folder: 'TRENDY_HOME=DIR trendy \(command) …', or "
            + Self.moving(signingIn: command)
    }

    /// The commands that move the records here into another account.
    static func moving(signingIn command: String) -> String {
        "move the records into the other account: 'trendy export json --output FILE', "
            + "'TRENDY_HOME=DIR trendy \(command) …', 'TRENDY_HOME=DIR trendy import json FILE'"
    }
}

/// Who is signed in, as JSON.
struct SignInJSON: Encodable {
    var isSignedIn: Bool
    var server: String?
    var email: String?
    var userId: String?

    init(isSignedIn: Bool, account: StoreOwner) {
        self.isSignedIn = isSignedIn
        server = account.server
        email = account.email
        userId = account.userId
    }

    init(isSignedIn: Bool, server: String?, email: String? = nil, userId: String? = nil) {
        self.isSignedIn = isSignedIn
        self.server = server
        self.email = email
        self.userId = userId
    }

    private enum CodingKeys: String, CodingKey {
        case server, email
        case isSignedIn = "signed_in"
        case userId = "user_id"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isSignedIn, forKey: .isSignedIn)
        try container.encode(server, forKey: .server)
        try container.encode(email, forKey: .email)
        try container.encode(userId, forKey: .userId)
    }
}
