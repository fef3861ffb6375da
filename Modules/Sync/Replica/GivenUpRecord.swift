import TrendyDomain

/// A record that was made and deleted here before it was ever sent.
///
/// The server is told of neither, because this device has sent it nothing. But another copy of this store may have sent
/// the record: a home folder that was copied, or this store before it was restored from a snapshot. No store can know
/// that of itself. So the store remembers the record for a while. If the server shows the record, the device deletes it.
/// Imported records are not remembered, nor are records that the server had before: another device may import the same
/// file or bring the same record back, and then the server's record has the same id. A record is remembered too
/// if a restored server had lost it before the deletion was sent: another device may send the record again.
struct GivenUpRecord: StoredDocument {
    static let collection = "given_up"

    /// The most that are remembered when a sync has looked for them. The oldest ones are forgotten. Time alone forgets none:
    /// the clock may be wrong.
    static let limit = 10_000

    let id: String
    /// A short hash of what was given up, to tell what others have changed in it.
    let digest: String
    let givenUpAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, digest
        case givenUpAt = "given_up_at"
    }
}

/// The records that were given up here, in one unit of work that the caller saves.
struct GivenUpRecords {
    let replica: Replica

    private var store: any DataStoreProtocol { replica.store }

    /// Remembers a record that loses a create which the server was never sent.
    ///
    /// - Parameters:
    ///   - copy: The record as it was before that.
    ///   - left: What is left of it. If that is anything, the server will be told of the deletion.
    func add(_ copy: LocalCopy, left: OpenRecord) throws {
        guard left.base == .nothing, left.operations.isEmpty, let document = copy.record.visible.document,
            // The server had these, and what it has again somebody else has made again.
            !copy.mutations.values.contains(where: { $0.isAdopted || $0.parkReason?.code.isOfFormerRecord == true })
        else { return }
        try remember(copy, document)
    }

    /// Remembers a record that was deleted here after its create was sent, and that the server has never had: the create did
    /// not arrive, or not yet.
    func add(neverThere copy: LocalCopy, _ document: RecordDocument) throws {
        if copy.record.base == .nothing { try remember(copy, document) }
    }

    /// Remembers a record that was deleted here and that the server lost before this device could send the deletion. The
    /// children that the deletion hides are remembered too.
    func add(lost copy: LocalCopy) throws {
        guard copy.record.operations.contains(where: { $0.change == .delete && !$0.isParked }),
            let document = copy.record.base.document
        else { return }
        try remember(copy, document)
        try addChildren(of: copy, beneath: [])
    }

    private func addChildren(of parent: LocalCopy, beneath ancestors: Set<RecordKey>) throws {
        let ancestors = ancestors.union([parent.key])
        for (type, reference) in replica.schema.children(of: parent.key.entityType) where reference.onDelete == .cascade
        {
            for ids in try replica.children(type, reference, of: parent.key.id).chunks(of: 500) {
                for child in try replica.load(type, ids).values where child.record.isHidden {
                    guard let document = child.record.base.document, !ancestors.contains(child.key) else { continue }
                    try remember(child, document)
                    try addChildren(of: child, beneath: ancestors)
                }
            }
        }
    }

    private func remember(_ copy: LocalCopy, _ document: RecordDocument) throws {
        try store.putDocument(
            GivenUpRecord(
                id: Self.id(copy.key), digest: try digest(document, copy.type), givenUpAt: replica.wallClock.now()))
    }

    /// Forgets records that are made here again, or that the server knows to be deleted.
    ///
    /// - Returns: Whether any of them was remembered.
    @discardableResult
    func forget(_ keys: [RecordKey]) throws -> Bool {
        let count = try store.countDocuments(GivenUpRecord.self)
        if count == 0 { return false }
        for key in keys { try store.deleteDocument(GivenUpRecord.self, id: Self.id(key)) }
        return try store.countDocuments(GivenUpRecord.self) < count
    }

    /// Those of some records that were given up and are remembered still, with the hashes of what they were.
    func digests(_ kind: EntityType, _ ids: Set<String>) throws -> [String: String] {
        if try ids.isEmpty || store.countDocuments(GivenUpRecord.self) == 0 { return [:] }
        let parents = replica.schema.types.filter { $0.parents.isEmpty }.map { "\($0.entityType)-" }
        // A parent that is forgotten would come back, and its children with it.
        let all = try store.fetchDocuments(GivenUpRecord.self).sorted { left, right in
            let isParent = (parents.contains(where: left.id.hasPrefix), parents.contains(where: right.id.hasPrefix))
            return isParent.0 == isParent.1 ? left.givenUpAt > right.givenUpAt : isParent.0
        }
        let known = all.prefix(GivenUpRecord.limit)
        for record in all.dropFirst(GivenUpRecord.limit) { try store.deleteDocument(GivenUpRecord.self, id: record.id) }
        let digests = Dictionary(known.map { ($0.id, $0.digest) }) { $1 }
        return ids.reduce(into: [:]) { $0[$1] = digests[Self.id(RecordKey(kind, $1))] }
    }

    /// Deletes a record that has come although it was given up here. What others have changed in it is listed.
    ///
    /// - Parameters:
    ///   - theirs: The server's version.
    ///   - created: The revision with which it was made; 0 if it is not known.
    ///   - digest: The hash of what was given up.
    ///   - raw: The server's version as it came.
    func delete(
        _ copy: LocalCopy, _ theirs: RecordDocument, revision: Int64, created: Int64, digest: String, raw: JSONValue?
    ) throws {
        var record = copy.record
        record.base = .document(theirs, revision: revision)
        record.parentDeletions = try replica.parentDeletions(of: record, copy.type)
        // The deletion of its parent takes a hidden record along.
        if !record.isHidden {
            _ = record.append(OpenOperation(.delete, key: replica.identifiers.makeId(), position: .max))
        }
        try replica.save(copy, as: record, created: created)
        try forget([copy.key])
        if try self.digest(theirs, copy.type) != digest {
            try ConflictList(replica: replica).add([.editedElsewhere(theirs: theirs)], of: copy.key, theirs: raw)
        }
    }

    private static func id(_ key: RecordKey) -> String { "\(key.entityType)-\(key.id)" }

    /// A hash of what people can say of a record.
    private func digest(_ document: RecordDocument, _ type: any SyncEntity.Type) throws -> String {
        let said = FieldPatch(whole: document, shape: type.shape).json
        return String(RecordDigest.hash(try encoded(said)), radix: 16)
    }
}
