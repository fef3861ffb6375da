/// Keeps the credentials of whoever is signed in.
///
/// Several processes may use one store: what one of them saves, the others load the next time.
/// Every method throws ``CredentialStoreError``.
public protocol CredentialStore: Sendable {
    /// The credentials, nil where nobody is signed in.
    func load() throws -> Credentials?

    /// Puts credentials in place of those before.
    func save(_ credentials: Credentials) throws

    /// Signs out: takes the credentials away. Does nothing where there are none.
    func clear() throws

    /// Takes the right to renew the credentials, so that two processes do not spend one refresh token.
    ///
    /// Answers nil where another process has it. It is given back when the lock is let go, or when its
    /// process ends.
    func lockForRenewal() throws -> (any CredentialLock)?
}

/// The right to renew credentials, for as long as it is held.
public protocol CredentialLock: AnyObject, Sendable {}

extension CredentialStore {
    /// A lock that keeps nobody out, for a store that no other process uses.
    public func lockForRenewal() throws -> (any CredentialLock)? { NoLock() }
}

/// Stands for the right to renew where no other process can ask for it.
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
