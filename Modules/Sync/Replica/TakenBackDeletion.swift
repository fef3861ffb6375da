import TrendyDomain

/// A record whose deletion was taken back here before it was ever sent: the counterpart of ``GivenUpRecord``.
///
/// Another copy of this store may have sent the deletion: a home folder that was copied, or this store before it was
/// restored from a snapshot. So the next sync that receives everything takes a deletion of the record for one that meets an
/// edit: a person decides. Later deletions are by people who could know better.
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

    /// Forgets what was taken back before a moment at which everything was received.
    func forget(before moment: Timestamp) throws {
        if try isEmpty { return }
        for record in try store.fetchDocuments(TakenBackDeletion.self) where record.takenBackAt < moment {
            try store.deleteDocument(TakenBackDeletion.self, id: record.id)
        }
    }

    /// Whether there are none, which is nearly always so.
    var isEmpty: Bool { get throws { try store.countDocuments(TakenBackDeletion.self) == 0 } }

    /// A record without edits of its own, as if it had been edited; nil where no deletion of it, or of what it belongs to,
    /// was taken back.
    func edited(_ copy: LocalCopy) throws -> OpenRecord? {
        guard case .document(let document, _) = copy.record.base,
            copy.record.operations.allSatisfy({ $0.change == .update(FieldPatch()) }), try !isEmpty,
            try isKept(copy.key, document, copy.type)
        else { return nil }
        var record = copy.record
        let whole = FieldPatch(whole: document, shape: record.shape)
        record.operations = [OpenOperation(.update(whole), key: replica.identifiers.makeId(), position: .max)]
        return record
    }

    private func isKept(_ key: RecordKey, _ document: RecordDocument, _ type: any SyncEntity.Type) throws -> Bool {
        let id = Self.id(key)
        if try store.fetchDocuments(TakenBackDeletion.self).contains(where: { $0.id == id }) { return true }
        return try type.parents.contains { reference in
            guard reference.onDelete == .cascade, let id = document[reference.field]?.stringValue,
                let parent = replica.schema.type(for: reference.entityType)
            else { return false }
            let copy = try replica.load(parent, id)
            return try isKept(copy.key, copy.record.base.document ?? [:], parent)
        }
    }

    private static func id(_ key: RecordKey) -> String { "\(key.entityType)-\(key.id)" }
}
