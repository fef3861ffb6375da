import TrendyDomain

/// A record whose deletion was taken back here before it was ever sent: the counterpart of ``GivenUpRecord``.
///
/// Another copy of this store may have sent the deletion: a home folder that was copied, or this store before it was
/// restored from a snapshot. So the next sync that receives everything takes a deletion of the record for one that meets an
/// edit: a person decides. A copy that sends the deletion only later deletes as any device does. To remember it for longer
/// would hold back what people delete on purpose since.
struct TakenBackDeletion: StoredDocument {
    static let collection = "taken_back"

    let id: String
    let takenBackAt: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id
        case takenBackAt = "taken_back_at"
    }
}

/// The deletions that were taken back here, in one unit of work that the caller saves.
struct TakenBackDeletions {
    let replica: Replica

    private var store: any DataStoreProtocol { replica.store }

    /// Remembers that a record, which the server has, is to stay.
    func add(_ key: RecordKey) throws {
        try store.putDocument(TakenBackDeletion(id: Self.id(key), takenBackAt: replica.wallClock.now()))
    }

    /// Forgets the deletions that were taken back before a sync began which has received everything.
    ///
    /// - Parameter moment: When that sync began.
    func forget(before moment: Timestamp) throws {
        for record in try documents() where record.takenBackAt < moment {
            try store.deleteDocument(TakenBackDeletion.self, id: record.id)
        }
    }

    /// The records to which they belong, as they are now.
    func kept() throws -> KeptRecords { KeptRecords(replica: replica, ids: Set(try documents().map(\.id))) }

    /// Nearly always there are none.
    private func documents() throws -> [TakenBackDeletion] {
        try store.countDocuments(TakenBackDeletion.self) == 0 ? [] : store.fetchDocuments(TakenBackDeletion.self)
    }

    fileprivate static func id(_ key: RecordKey) -> String { "\(key.entityType)-\(key.id)" }
}

/// The records that a person keeps by having taken their deletion back.
struct KeptRecords {
    fileprivate let replica: Replica
    fileprivate let ids: Set<String>

    var isEmpty: Bool { ids.isEmpty }

    /// A record without edits of its own, with one that waits and changes nothing; nil where no deletion of it, or of what it
    /// belongs to, was taken back.
    ///
    /// The person has kept the record and changed no value of it. So if others have made it again, their values stand.
    func edited(_ copy: LocalCopy) throws -> OpenRecord? {
        guard !isEmpty, case .document(let document, _) = copy.record.base,
            copy.record.operations.allSatisfy({ $0.change == .update(FieldPatch()) }),
            try replica.isOne(copy.key, document, orBelongsToOne: { ids.contains(TakenBackDeletions.id($0)) })
        else { return nil }
        var record = copy.record
        let stays = OpenOperation(
            .update(FieldPatch()), key: replica.identifiers.makeId(), position: .max, isParked: true)
        record.operations = [stays]
        return record
    }
}
