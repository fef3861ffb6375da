/// Keeps the credentials of whoever is signed in.
///
/// Several processes may use one store. What one of them saves, the others load the next time. Every method throws
/// ``CredentialStoreError``.
public protocol CredentialStore: Sendable {
    /// The credentials, nil where nobody is signed in.
    func load() throws -> Credentials?

    /// Puts credentials in place of those before.
    func save(_ credentials: Credentials) throws

    /// Signs out: removes the credentials. Does nothing if there are none.
    func clear() throws

    /// Takes the lock for renewing the credentials, so that two processes do not spend one refresh token.
    ///
    /// Returns nil if another process has it. The lock ends when it is released, or with its process.
    func lockForRenewal() throws -> (any CredentialLock)?
}

/// The right to renew credentials, for as long as it is held.
public protocol CredentialLock: AnyObject, Sendable {}

extension CredentialStore {
    /// A lock for a store that no other process uses. Everybody gets it.
    public func lockForRenewal() throws -> (any CredentialLock)? { NoLock() }
}

/// Makes such a lock.
private final class NoLock: CredentialLock {}

/// Why credentials could not be read or kept.
public enum CredentialStoreError: Error, Sendable, Hashable {
    /// The file holds something else than credentials.
    case damaged(path: String, reason: String)
    /// The file or its folder cannot be read or written.
    case inaccessible(path: String, reason: String)
    /// The credentials come from outside, from the environment say, and cannot be changed here.
    case readOnly(source: String)
}

extension CredentialStoreError: CustomStringConvertible {
    /// What happened, to what, and what to do.
    public var description: String {
        switch self {
        case .damaged(let path, let reason):
            "the credentials file \(path) is damaged (\(reason)); remove it and sign in again"
        case .inaccessible(let path, let reason):
            "the credentials file \(path) cannot be used: \(reason)"
        case .readOnly(let source):
            "the credentials come from \(source) and cannot be changed here"
        }
    }
}
