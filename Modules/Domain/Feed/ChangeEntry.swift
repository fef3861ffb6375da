/// What a change did, as a feed says; open, because feeds may learn new words.
public struct ChangeOperation: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    /// The name on the wire.
    public let rawValue: String

    /// Makes an operation of a name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name on the wire.
    public var description: String { rawValue }

    /// A record is new.
    public static let create = ChangeOperation(rawValue: "create")
    /// Fields of a record changed.
    public static let update = ChangeOperation(rawValue: "update")
    /// A record is gone.
    public static let delete = ChangeOperation(rawValue: "delete")
}

/// One entry of a server's change feed.
public struct ChangeEntry: Sendable, Hashable, Identifiable {
    /// The place in the feed.
    public var id: Int64
    /// The kind of the record that changed.
    public var entityType: EntityType
    /// What happened to it.
    public var operation: ChangeOperation
    /// The id of the record that changed.
    public var entityId: String
    /// The whole record after the change; nil for a deletion.
    public var data: JSONValue?
    /// When the record was deleted, where it was.
    public var deletedAt: Timestamp?
    /// When the change was logged by the server.
    public var createdAt: Timestamp?

    /// Makes an entry of its parts.
    public init(
        id: Int64, entityType: EntityType, operation: ChangeOperation, entityId: String, data: JSONValue? = nil,
        deletedAt: Timestamp? = nil, createdAt: Timestamp? = nil
    ) {
        self.id = id
        self.entityType = entityType
        self.operation = operation
        self.entityId = entityId
        self.data = data
        self.deletedAt = deletedAt
        self.createdAt = createdAt
    }
}

extension ChangeEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, operation, data
        case entityType = "entity_type"
        case entityId = "entity_id"
        case deletedAt = "deleted_at"
        case createdAt = "created_at"
    }

    /// Reads any entry. A malformed one, or one with something missing, has empty names and the whole entry as its
    /// data, for the quarantine. If its id cannot be read either, its place is 0.
    public init(from decoder: any Decoder) throws {
        let container = try? decoder.container(keyedBy: CodingKeys.self)
        let place = try? container?.decode(Int64.self, forKey: .id)
        do {
            guard let container, let place else { throw Unreadable() }
            self.init(
                id: place,
                entityType: try container.decode(EntityType.self, forKey: .entityType),
                operation: try container.decode(ChangeOperation.self, forKey: .operation),
                entityId: try container.decode(String.self, forKey: .entityId),
                data: try container.decodeIfPresent(JSONValue.self, forKey: .data),
                deletedAt: try container.decodeIfPresent(Timestamp.self, forKey: .deletedAt),
                createdAt: try container.decodeIfPresent(Timestamp.self, forKey: .createdAt))
        } catch {
            let whole = try JSONValue(from: decoder)
            self.init(
                id: place ?? 0, entityType: "", operation: ChangeOperation(rawValue: ""), entityId: "", data: whole)
        }
    }

    private struct Unreadable: Error {}
}

/// A page of a server's change feed.
public struct ChangeFeedResponse: Codable, Sendable, Hashable {
    /// The changes, in ascending order of their ids.
    public var changes: [ChangeEntry]
    /// The cursor of the next page; the one that was sent if there is nothing new.
    public var nextCursor: Int64
    /// Whether the next page is there at once.
    public var hasMore: Bool

    /// Makes a page of the feed.
    public init(changes: [ChangeEntry], nextCursor: Int64, hasMore: Bool) {
        self.changes = changes
        self.nextCursor = nextCursor
        self.hasMore = hasMore
    }

    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        changes = try container.decodeIfPresent([ChangeEntry].self, forKey: .changes) ?? []
        nextCursor = try container.place(forKey: .nextCursor)
        hasMore = try container.decode(Bool.self, forKey: .hasMore)
    }

    private enum CodingKeys: String, CodingKey {
        case changes
        case nextCursor = "next_cursor"
        case hasMore = "has_more"
    }
}

extension KeyedDecodingContainer {
    /// Reads a place of the feed; of a number that is none, Foundation says no more than that the JSON is not valid.
    fileprivate func place(forKey key: Key) throws -> Int64 {
        do {
            return try decode(Int64.self, forKey: key)
        } catch {
            guard let number = try? decode(Double.self, forKey: key) else { throw error }
            let reason = number.rounded() == number ? "is out of range" : "is no whole number"
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(number) \(reason)")
        }
    }
}
