import Synchronization

/// Credentials that last as long as their process.
public final class InMemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<Credentials?>

    /// Makes a store, empty or with credentials.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = Mutex(credentials)
    }

    public func load() throws -> Credentials? { credentials.withLock { $0 } }
    public func save(_ new: Credentials) throws { credentials.withLock { $0 = new } }
    public func clear() throws { credentials.withLock { $0 = nil } }
}
