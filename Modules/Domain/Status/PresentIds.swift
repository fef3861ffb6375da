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
