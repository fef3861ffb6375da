import TrendyDomain

/// A record that was made and deleted here, and that the server has never had as far as is known.
///
/// If the create was never sent, the server is told of neither. But another copy of this store may have sent
/// the record: a home folder that was copied, or this store before it was restored from a snapshot. No store can know
/// that of itself. If the create was sent and its answer is awaited, it may arrive after the deletion.
/// So the store remembers the record for a while. If the server shows the record, the device deletes it. Of an imported record,
/// and of one that the server had before, nobody knows whose it is: another device may import the same file or bring the same
/// record back, and then the server's record has the same id. It stays deleted here, and the deletion waits for the person.
/// A record is remembered too if a restored server had lost it before the deletion was sent: another device may send the record
/// again.
struct GivenUpRecord: StoredDocument {
    static let collection = "given_up"

    /// The most that are remembered when a sync has looked for them. Children that went with a parent are forgotten first,
    /// and then the oldest records. Time alone forgets none: the clock may be wrong.
    static let limit = 10_000

    let id: String
    /// A short hash of what was given up, to tell what others have changed in it.
    let digest: String
    let givenUpAt: Timestamp
    /// The id of the parent whose deletion took the record along; nil if the record was deleted by itself.
    var parent: String?
    /// Whether another device may have made the record too; nil in what earlier versions have stored.
    var isShared: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, digest, parent
        case givenUpAt = "given_up_at"
        case isShared = "is_shared"
    }
}

/// The records that were given up here, in one unit of work that the caller saves.
struct GivenUpRecords {
    let replica: Replica

    private var store: any DataStoreProtocol { replica.store }

    /// Remembers a record that is deleted here, or loses its create, if the server is not known to have had it.
    ///
    /// - Parameters:
    ///   - copy: The record as it was before that.
    ///   - left: What is left of it.
    func add(_ copy: LocalCopy, left: OpenRecord) throws {
        guard left.base == .nothing, left.alone.document == nil, let document = copy.record.alone.document
        else { return }
        let isShared = copy.mutations.values.contains { $0.isAdopted || $0.parkReason?.code.isOfFormerRecord == true }
        try remember(copy, document, isShared: isShared)
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
                if try store.countDocuments(GivenUpRecord.self) >= GivenUpRecord.limit { return }
                for child in try replica.loadInOrder(type, ids) where child.record.isHidden {
                    guard let document = child.record.base.document, !ancestors.contains(child.key),
                        document[reference.field] == .string(parent.key.id)
                    else { continue }
                    try remember(child, document, with: parent.key.id)
                    try addChildren(of: child, beneath: ancestors)
                }
            }
        }
    }

    private func remember(
        _ copy: LocalCopy, _ document: RecordDocument, with parent: String? = nil, isShared: Bool = false
    ) throws {
        try store.putDocument(
            GivenUpRecord(
                id: Self.id(copy.key), digest: try digest(document, copy.type), givenUpAt: replica.wallClock.now(),
                parent: parent, isShared: isShared))
    }

    /// Forgets records that are made here again, or that the server knows to be deleted.
    func forget(_ keys: [RecordKey]) throws {
        // To count takes longer than to delete one.
        if try keys.count > 1 && store.countDocuments(GivenUpRecord.self) == 0 { return }
        for key in keys { try store.deleteDocument(GivenUpRecord.self, id: Self.id(key)) }
    }

    /// Forgets a record.
    ///
    /// - Returns: Whether it was remembered as one that no other device has.
    func take(_ key: RecordKey) throws -> Bool {
        guard let known = try store.findDocument(GivenUpRecord.self, id: Self.id(key)) else { return false }
        try forget([key])
        return known.isShared != true
    }

    /// Those of some records that were given up and are remembered still, by their ids.
    func among(_ kind: EntityType, _ ids: Set<String>) throws -> [String: GivenUpRecord] {
        if try ids.isEmpty || store.countDocuments(GivenUpRecord.self) == 0 { return [:] }
        var all = try store.fetchDocuments(GivenUpRecord.self)
        if all.count > GivenUpRecord.limit {
            // A parent that is forgotten would come back, and its children with it.
            all.sort { ($0.parent == nil ? 1 : 0, $0.givenUpAt) > ($1.parent == nil ? 1 : 0, $1.givenUpAt) }
            for record in all[GivenUpRecord.limit...] { try store.deleteDocument(GivenUpRecord.self, id: record.id) }
            all.removeSubrange(GivenUpRecord.limit...)
        }
        let known = Dictionary(all.map { ($0.id, $0) }) { $1 }
        return ids.reduce(into: [:]) { $0[$1] = known[Self.id(RecordKey(kind, $1))] }
    }

    /// Deletes a record that the server shows although it was given up here. Others' changes of it are listed. If another
    /// device may have made the record, the deletion waits for the person.
    ///
    /// - Parameters:
    ///   - theirs: The server's version.
    ///   - created: The revision with which it was made; 0 if it is not known.
    ///   - givenUp: What is remembered of it.
    ///   - raw: The server's version as it came.
    func delete(
        _ copy: LocalCopy, _ theirs: RecordDocument, revision: Int64, created: Int64, as givenUp: GivenUpRecord,
        raw: JSONValue?
    ) throws {
        var record = copy.record
        record.base = .document(theirs, revision: revision)
        record.parentDeletions = try replica.parentDeletions(of: record, copy.type)
        // What went with its parent goes with it again.
        if givenUp.parent == nil || !record.isHidden {
            _ = record.append(
                OpenOperation(
                    .delete, key: replica.identifiers.makeId(), position: .max, isParked: givenUp.isShared == true))
        }
        try replica.save(copy, as: record, created: created, parked: { _ in .madeElsewhere })
        try forget([copy.key])
        if try digest(theirs, copy.type) != givenUp.digest {
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
