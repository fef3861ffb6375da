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

    public func load() throws -> Credentials? { credentials }

    public func save(_ credentials: Credentials) throws {
        throw CredentialStoreError.readOnly(source: Self.variable)
    }

    public func clear() throws {
        throw CredentialStoreError.readOnly(source: Self.variable)
    }
}
