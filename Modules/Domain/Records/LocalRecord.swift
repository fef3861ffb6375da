/// A record as readers of a device see it, with the server's fields and its status.
public struct LocalRecord<Entity: SyncEntity>: Sendable, Hashable, Identifiable {
    /// The record itself.
    public var entity: Entity
    /// The fields that the server adds; empty for a record that the server does not have.
    public var server: ServerFields
    /// Whether the server has it as it is here.
    public var syncStatus: SyncStatus
    /// The revision of the server's version; 0 if there is none, or it is of another epoch.
    public var revision: Int64
    /// The revision with which the record was made; 0 where that is not known.
    public var createdRevision: Int64
    /// The fields that this version of the program does not know, by wire name.
    public var unknown: [String: JSONValue]

    /// Puts a record together with what is known of it here.
    public init(
        _ entity: Entity, server: ServerFields = ServerFields(), syncStatus: SyncStatus = .pending, revision: Int64 = 0,
        createdRevision: Int64 = 0, unknown: [String: JSONValue] = [:]
    ) {
        self.entity = entity
        self.server = server
        self.syncStatus = syncStatus
        self.revision = revision
        self.createdRevision = createdRevision
        self.unknown = unknown
    }

    /// Makes a synced record of the server's version.
    public init(_ remote: Remote<Entity>) {
        self.init(remote.entity, server: remote.server, syncStatus: .synced)
    }

    /// The record's id.
    public var id: String { entity.id }
}

extension LocalRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case revision, unknown
        case syncStatus = "sync_status"
        case createdRevision = "created_revision"
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        entity = try Entity(from: decoder)
        server = try ServerFields(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        syncStatus = try container.decode(SyncStatus.self, forKey: .syncStatus)
        revision = try container.decodeIfPresent(Int64.self, forKey: .revision) ?? 0
        createdRevision = try container.decodeIfPresent(Int64.self, forKey: .createdRevision) ?? 0
        unknown = try container.decodeIfPresent([String: JSONValue].self, forKey: .unknown) ?? [:]
    }

    /// Writes one flat object: the wire names and `sync_status`.
    public func encode(to encoder: any Encoder) throws {
        try entity.encode(to: encoder)
        try server.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(syncStatus, forKey: .syncStatus)
        if revision != 0 { try container.encode(revision, forKey: .revision) }
        if createdRevision != 0 { try container.encode(createdRevision, forKey: .createdRevision) }
        if !unknown.isEmpty { try container.encode(unknown, forKey: .unknown) }
    }
}

/// Where a record on a device stands.
public enum SyncStatus: String, Codable, Sendable, Hashable, CaseIterable {
    /// It has changes that the server has not accepted yet.
    case pending
    /// The server has it as it is here.
    case synced
    /// A change of it is parked and waits for the person.
    case failed
}
