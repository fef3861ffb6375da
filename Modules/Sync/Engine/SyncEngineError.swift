public import TrendyDomain

/// Why a local write or a question to the engine was refused.
public enum SyncEngineError: Error, Sendable, Hashable {
    /// There is no such record here.
    case notFound(entityType: EntityType, id: String)
    /// A record with this id is here.
    case alreadyExists(entityType: EntityType, id: String)
    /// The engine's schema has no such kind.
    case unknownEntityType(EntityType)
    /// The payload is not what the operation needs.
    case invalidPayload(String)
    /// There is no such mutation.
    case unknownMutation(Int64)
}

extension SyncEngineError: CustomStringConvertible {
    /// Why the engine refuses, for people to read.
    public var description: String {
        switch self {
        case .notFound(let type, let id): "there is no \(type.displayName) \(id) here"
        case .alreadyExists(let type, let id): "the \(type.displayName) \(id) exists already"
        case .unknownEntityType(let type):
            "records of the kind '\(type)' are not known here; name the kind in the engine's schema"
        case .invalidPayload(let reason): "the payload cannot be used: \(reason)"
        case .unknownMutation(let id): "there is no mutation \(id)"
        }
    }
}
