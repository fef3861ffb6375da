import TrendyDomain

extension LocalRecord {
    /// The record by the names of its fields, with the server's fields and the unknown ones.
    var document: RecordDocument {
        get throws {
            var document = unknown
            document.merge(try WireCoding.fields(of: entity)) { $1 }
            if server.createdAt != nil || server.updatedAt != nil {
                document.merge(try WireCoding.fields(of: ServerFields(server.createdAt, server.updatedAt))) { $1 }
            }
            return document
        }
    }

    /// Reads a record from its document.
    ///
    /// - Throws: `DecodingError` where it is no record of its kind.
    init(_ document: RecordDocument, _ status: SyncStatus, revision: Int64, created: Int64) throws {
        let remote = try WireCoding.value(Remote<Entity>.self, from: document)
        self.init(
            remote.entity, server: ServerFields(remote.server.createdAt, remote.server.updatedAt), syncStatus: status,
            revision: revision, createdRevision: created, unknown: Self.unknown(in: document))
    }

    /// Reads a record as it came, without a tree of it; nil where it takes one.
    fileprivate init?(_ kept: KeptJSON, known: FieldNames, _ status: SyncStatus, revision: Int64, created: Int64) {
        guard let (remote, unknown) = kept.record(of: Entity.self, besides: known) else { return nil }
        self.init(
            remote.entity, server: ServerFields(remote.server.createdAt, remote.server.updatedAt), syncStatus: status,
            revision: revision, createdRevision: created, unknown: unknown)
    }

    /// The fields that this version does not know.
    private static func unknown(in document: RecordDocument) -> RecordDocument {
        let known = RecordShape.unchangeable.union(Entity.fields)
        return document.filter { !known.contains($0.key) && $0.value != .null }
    }
}

extension ServerFields {
    fileprivate init(_ createdAt: Timestamp?, _ updatedAt: Timestamp?) {
        self.init(createdAt: createdAt, updatedAt: updatedAt)
    }
}

extension SyncEntity {
    /// The fields of a record that a server sends, as far as this version knows them.
    static var receivedFields: FieldNames { FieldNames(RecordShape.unchangeable.union(fields)) }

    /// The record of a server's change in this device's form.
    ///
    /// - Parameter known: ``receivedFields``, made once for many changes.
    /// - Throws: `DecodingError` or ``ValidationError`` where this version cannot keep it.
    static func received(_ change: SyncChange, known: FieldNames) throws -> LocalRecord<Self> {
        let (revision, created) = (change.revision, change.createdRevision ?? 0)
        guard let kept = change.kept,
            let record = LocalRecord<Self>(kept, known: known, .synced, revision: revision, created: created)
        else { return try received(change.record ?? .null, revision, created: created) }
        try record.entity.validateReceived()
        return record
    }

    /// A server's version of a record in this device's form, so that equal values are equal.
    ///
    /// - Throws: `DecodingError` or ``ValidationError`` where this version cannot keep it.
    static func received(_ value: JSONValue, _ revision: Int64, created: Int64) throws -> LocalRecord<Self> {
        let record = try LocalRecord<Self>(value.objectValue ?? [:], .synced, revision: revision, created: created)
        try record.entity.validateReceived()
        return record
    }
}

extension RecordDocument {
    /// When the server changed the record last, as its version says.
    var updatedAt: Timestamp? { self["updated_at"]?.stringValue.flatMap(Timestamp.init) }
    /// When the server made the record, as its version says.
    var createdAt: Timestamp? { self["created_at"]?.stringValue.flatMap(Timestamp.init) }

    /// Whether the server's times say that it was changed after it was made. Servers that draw the two one after the other
    /// need less than a second for that.
    var isChangedSinceMade: Bool {
        guard let createdAt, let updatedAt else { return false }
        return updatedAt > createdAt.advanced(bySeconds: 1)
    }
}
