import Synchronization

/// Credentials that last as long as their process.
public final class InMemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<Credentials?>

    /// Makes a store, empty or with credentials.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = Mutex(credentials)
    }

    /// What was saved last, or none.
    public func load() throws -> Credentials? { credentials.withLock { $0 } }
    /// Keeps the credentials for as long as the process runs.
    public func save(_ new: Credentials) throws { credentials.withLock { $0 = new } }
    /// Forgets the credentials.
    public func clear() throws { credentials.withLock { $0 = nil } }
}
