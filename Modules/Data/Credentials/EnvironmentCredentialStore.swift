public import TrendyDomain

/// A token that the environment gives (`TRENDY_TOKEN`), for one server; it can be neither renewed nor changed.
public struct EnvironmentCredentialStore: CredentialStore {
    /// The variable that the composition root reads.
    public static let variable = "TRENDY_TOKEN"

    private let credentials: Credentials

    /// Makes a store of that token for that server.
    public init(token: String, server: ServerAddress, obtainedAt: Timestamp = Timestamp(milliseconds: 0)) {
        credentials = Credentials(server: server, accessToken: Secret(token), obtainedAt: obtainedAt)
    }

    /// The credentials from the environment, or none.
    public func load() throws -> Credentials? { credentials }

    /// Refuses: this process cannot change the environment that it was started with.
    public func save(_ credentials: Credentials) throws {
        throw CredentialStoreError.readOnly(source: Self.variable)
    }

    /// Refuses: this process cannot change the environment that it was started with.
    public func clear() throws {
        throw CredentialStoreError.readOnly(source: Self.variable)
    }
}
