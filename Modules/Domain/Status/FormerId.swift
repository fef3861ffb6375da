/// The id that a record had before it went on under another one.
///
/// A device keeps them for whoever has remembered an id. ``PresentIds`` follows them.
public struct FormerId: StoredDocument, Hashable {
    /// The name of the collection that the store keeps these documents in.
    public static let collection = "former_id"

    /// The document's id: the kind and the former id.
    public let id: String
    /// The kind of the record.
    public let entityType: EntityType
    /// The id that the record had.
    public let formerId: String
    /// The id that took its place.
    public let presentId: String
    /// Whether another device had made the same record under that id.
    public let isMerged: Bool
    /// When the id changed, by this device's clock.
    public let since: Timestamp

    /// Says under which id a record goes on.
    public init(_ former: RecordKey, presentId: String, isMerged: Bool, since: Timestamp) {
        id = Self.id(of: former)
        entityType = former.entityType
        formerId = former.id
        self.presentId = presentId
        self.isMerged = isMerged
        self.since = since
    }

    /// The id of the document about a record.
    public static func id(of former: RecordKey) -> String { "\(former.entityType)-\(former.id)" }

    private enum CodingKeys: String, CodingKey {
        case id, since
        case entityType = "entity_type"
        case formerId = "former_id"
        case presentId = "present_id"
        case isMerged = "is_merged"
    }
}

/// Tells under which ids records go on that had other ids before.
public struct PresentIds: Sendable {
    private let moves: [RecordKey: FormerId]

    /// Follows these ids.
    public init(_ formerIds: [FormerId]) {
        moves = Dictionary(formerIds.map { (RecordKey($0.entityType, $0.formerId), $0) }) { $1 }
    }

    /// Whether no record had another id before.
    public var isEmpty: Bool { moves.isEmpty }

    /// The id under which a record goes on; its own if it has that still.
    ///
    /// - Parameter throughMerges: Whether the record is followed to one that another device had made.
    public func present(_ id: String, of entityType: EntityType, throughMerges: Bool = true) -> String {
        var key = RecordKey(entityType, id)
        // No chain is longer than all of them, so one that leads back to its beginning ends too.
        for _ in moves {
            guard let move = moves[key], throughMerges || !move.isMerged else { break }
            key.id = move.presentId
        }
        return key.id
    }

    /// The fields of a record with the present ids: its own, and those of the records that it refers to.
    public func renaming(_ fields: [String: JSONValue], of type: any SyncEntity.Type) -> [String: JSONValue] {
        var renamed = fields
        for (field, kind) in [("id", type.entityType)] + type.parents.map({ ($0.field, $0.entityType) }) {
            guard let id = fields[field]?.stringValue else { continue }
            renamed[field] = .string(present(id, of: kind))
        }
        return renamed
    }
}
