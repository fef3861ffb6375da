public import Foundation

// It is read by hand because an answer has thousands of changes, and coders take as long for one as all the rest of
// its processing.

extension SyncResponse {
    /// Reads an answer from its JSON, with the results and errors of its `Decodable`, in a part of the time.
    ///
    /// - Throws: `DecodingError` where the JSON is malformed or of another shape.
    public init(parsing json: Data) throws {
        let bytes = JSONBytes(json)
        do {
            self = try bytes.read { reader in
                reader.skipSpace()
                let response = try SyncResponse(&reader, bytes)
                try reader.requireEnd()
                return response
            }
        } catch {
            // The coder reads some more forms, and says what is wrong.
            self = try JSONTreeDecoder(JSONValue(parsing: json)).decode(SyncResponse.self)
        }
    }

    private init(_ reader: inout JSONReader, _ bytes: JSONBytes) throws {
        var (epoch, cursor): (String?, String?)
        var (head, more): (Int64?, Bool?)
        var (results, changes): ([SyncResult]?, [SyncChange]?)
        try reader.readMembers { reader, name in
            switch name {
            case "epoch": epoch = try reader.text()
            case "cursor": cursor = try reader.text()
            case "head": head = try reader.whole()
            case "more": more = try reader.flag()
            case "results": results = try reader.list { try SyncResult(&$0, bytes) }
            case "changes": changes = try reader.list { try SyncChange(&$0, bytes) }
            default: try reader.skipValue()
            }
        }
        guard let epoch, let cursor, let head, let more, let results, let changes else { throw JSONReader.Misfit() }
        self.init(epoch: epoch, head: head, results: results, changes: changes, cursor: cursor, more: more)
    }
}

extension SyncResult {
    fileprivate init(_ reader: inout JSONReader, _ bytes: JSONBytes) throws {
        self.init(key: "", outcome: .accepted)
        var (key, outcome): (String?, SyncOutcome?)
        try reader.readMembers { reader, name in
            switch name {
            case "key": key = try reader.text()
            case "outcome": outcome = SyncOutcome(rawValue: try reader.text())
            case "revision": revision = try reader.present { try $0.whole() } ?? 0
            case "created_revision": createdRevision = try reader.present { try $0.whole() }
            case "replayed": replayed = try reader.present { try $0.flag() } ?? false
            case "record": record = try reader.present { try $0.value() }
            case "server": server = try reader.present { try ServerFields(&$0) }
            case "message": message = try reader.present { try $0.text() }
            case "errors": errors = try reader.present { try JSONTreeDecoder($0.value()).decode([FieldError].self) }
            default: try reader.skipValue()
            }
        }
        guard let key, let outcome else { throw JSONReader.Misfit() }
        (self.key, self.outcome) = (key, outcome)
    }
}

extension ServerFields {
    fileprivate init(_ reader: inout JSONReader) throws {
        self.init()
        try reader.readMembers { reader, name in
            switch name {
            case "user_id": userId = try reader.present { try $0.text() }
            case "created_at": createdAt = try reader.present { try $0.moment() }
            case "updated_at": updatedAt = try reader.present { try $0.moment() }
            default: try reader.skipValue()
            }
        }
    }
}

extension SyncChange {
    fileprivate init(_ reader: inout JSONReader, _ bytes: JSONBytes) throws {
        var (type, id): (String?, String?)
        var (revision, created): (Int64?, Int64?)
        var record: KeptJSON?
        var isDeleted = false
        try reader.readMembers { reader, name in
            switch name {
            case "entity_type": type = try reader.text()
            case "entity_id": id = try reader.text()
            case "revision": revision = try reader.whole()
            case "created_revision": created = try reader.present { try $0.whole() }
            case "record":
                record = try reader.present { reader in
                    let start = reader.index
                    try reader.skipValue()
                    return KeptJSON(start..<reader.index, of: bytes)
                }
            case "deleted": isDeleted = try reader.present { try $0.flag() } ?? false
            default: try reader.skipValue()
            }
        }
        guard let type, let id, let revision, isDeleted == (record == nil) else { throw JSONReader.Misfit() }
        self.init(
            entityType: EntityType(rawValue: type), entityId: id, revision: revision, createdRevision: created,
            kept: record)
    }
}
