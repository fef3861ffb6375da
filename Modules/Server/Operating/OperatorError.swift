/// Why something that an operator wants cannot be done.
public enum OperatorError: Error, Sendable, Hashable {
    /// There is no server's data in the folder.
    case noData(folder: String)
    /// The file or data is there already.
    case exists(path: String)
    /// A file cannot be written.
    case notWritten(path: String, reason: String)
    /// The file is no backup that can be restored.
    case unusableBackup(path: String, reason: String)
    /// The data cannot be moved to another database, or was moved in part.
    case notMoved(reason: String, remedy: String)
    /// PostgreSQL has programs of its own for that.
    case onlySQLite(instead: String)
}

extension OperatorError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noData(let folder):
            "there is no server's data in \(folder); name the folder that the server was started with: --data DIR, or "
                + "--database URL"
        case .exists(let path):
            "\(path) is there already and stays as it is; name another file, or add --force to write over it"
        case .notWritten(let path, let reason): "cannot write \(path): \(reason)"
        case .unusableBackup(let path, let reason):
            "\(path) cannot be restored: \(reason); name a file that 'trendy server backup' wrote"
        case .notMoved(let reason, let remedy): "the server's data is not moved: \(reason); \(remedy)"
        case .onlySQLite(let instead): "a server's data in PostgreSQL is not copied by Trendy; \(instead)"
        }
    }
}
