import Foundation
import TrendyData
import TrendyDomain
import TrendyTerminal

/// The server, and the credentials for it.
struct ServerSession: Sendable {
    /// The server; nil if none is known.
    let server: ServerAddress?
    /// The credentials for that server.
    let credentials: any CredentialStore
    /// The present sign-in; nil if nobody is signed in.
    let current: Credentials?
    /// Whether the token comes from `TRENDY_TOKEN`.
    let isFromEnvironment: Bool

    /// Reads the sign-in from the settings and the credentials file.
    static func load(_ configuration: TrendyConfiguration) throws -> ServerSession {
        let file = FileCredentialStore(path: configuration.folders.credentials)
        let chosen = try configuration.server.map { try ServerAddress(parse: $0) }
        if let token = configuration.token {
            let stored = chosen == nil ? try file.load()?.server : nil
            guard let server = chosen ?? stored else {
                throw CommandFailure.usage("TRENDY_TOKEN is set without a server; set TRENDY_SERVER, too")
            }
            let store = EnvironmentCredentialStore(token: token, server: server)
            return ServerSession(server: server, credentials: store, current: try store.load(), isFromEnvironment: true)
        }
        let stored = try file.load()
        guard let chosen, let stored, chosen != stored.server else {
            let server = chosen ?? stored?.server
            return ServerSession(server: server, credentials: file, current: stored, isFromEnvironment: false)
        }
        guard chosen.isLoopback, stored.server.isLoopback else {
            return ServerSession(server: chosen, credentials: file, current: nil, isFromEnvironment: false)
        }
        let moved = RelocatedCredentialStore(base: file, original: stored.server, present: chosen)
        return ServerSession(server: chosen, credentials: moved, current: try moved.load(), isFromEnvironment: false)
    }
}

extension ServerAddress {
    /// Whether the server is on this machine.
    var isLoopback: Bool {
        guard let host = url.host else { return false }
        return host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.")
    }
}

/// The credentials of a server on this machine whose port has changed.
///
/// In all other cases, a token is sent only to the address that issued it.
private struct RelocatedCredentialStore: CredentialStore {
    let base: FileCredentialStore
    let original: ServerAddress
    let present: ServerAddress

    func load() throws -> Credentials? {
        guard var credentials = try base.load() else { return nil }
        if credentials.server == original { credentials.server = present }
        return credentials
    }

    func save(_ credentials: Credentials) throws { try base.save(credentials) }
    func clear() throws { try base.clear() }
    func lockForRenewal() throws -> (any CredentialLock)? { try base.lockForRenewal() }
}
