/// Why a local store could not do what it was asked.
public enum StoreError: Error, Sendable, Hashable {
    /// Another process or task held the store for longer than the store waits.
    case busy
    /// The store was made by a newer version: it knows schema `found`, this version knows `supported`.
    case newerVersion(found: String, supported: String)
    /// A development version, from before the first release, has written the file at this path. Only that version can
    /// read it.
    case developmentVersion(path: String)
    /// The file is no store, or is damaged.
    case corrupt(String)
    /// The file or its folder cannot be read or written.
    case inaccessible(String)
    /// The file at this path was removed or replaced while it was open.
    case replaced(path: String)
    /// The store has no table for this kind of record.
    case unknownEntityType(EntityType)
    /// A row cannot be read as the record that it should be.
    case unreadableRecord(entityType: EntityType, id: String, reason: String)
    /// Anything else that the database says.
    case failed(String)
}

extension StoreError: CustomStringConvertible {
    /// What the store could not do, and why.
    public var description: String {
        switch self {
        case .busy: "the store is in use by another process; try again in a moment"
        case .newerVersion(let found, let supported):
            "the store was written by a newer version of this program (schema \(found), this one knows "
                + "\(supported)); update it"
        case .developmentVersion(let path):
            "the store \(path) was written by a development version of this program, and this one cannot read it: "
                + "export its records with the version that wrote it, or move the file away"
        case .corrupt(let reason): "the store is damaged: \(reason)"
        case .inaccessible(let reason): "the store cannot be used: \(reason)"
        case .replaced(let path): "\(path) was removed or replaced meanwhile; start again to use what is there now"
        case .unknownEntityType(let type): "the store has no table for \(type.displayName) records"
        case .unreadableRecord(let type, let id, let reason):
            "the \(type.displayName) \(id) in the store cannot be read: \(reason)"
        case .failed(let reason): "the store failed: \(reason)"
        }
    }
}
