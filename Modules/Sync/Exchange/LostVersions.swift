import TrendyDomain

/// Finds what a server has lost of the records that it still has: its data was put back to an earlier state, or reset.
///
/// Until a record is shown, what the device has of it is of the former history, and its revision negative, or 0 where the
/// former history did not tell it. The present history goes on from some revision of the former one. A version that both
/// have proves that they share everything up to it, so that later versions of such records are news and no losses.
struct LostVersions {
    let replica: Replica
    /// The largest revision that both histories are known to share; nil where revisions cannot be compared.
    private(set) var shared: Int64?

    init(replica: Replica, shared: Int64?) { (self.replica, self.shared) = (replica, shared) }

    /// Looks in a page for versions that both histories have.
    mutating func compare<Entity: SyncEntity>(_ changes: ReadChanges, _ type: Entity.Type) throws {
        guard let known = shared else { return }
        let theirs = try changes.items(type).compactMap { try? $0.record.get() }
        let ours = try replica.load(type, theirs.map(\.id))
        shared = try theirs.reduce(known) { shared, theirs in
            guard case .document(let document, let revision)? = ours[theirs.id]?.record.base, -revision > shared,
                try -revision == theirs.revision && document == theirs.document
            else { return shared }
            return theirs.revision
        }
    }

    /// Lists the values of these records that the server has lost.
    ///
    /// - Returns: The records of which it has lost the deletion, and those of which it has lost a version, as they are here.
    func list<Entity: SyncEntity>(
        _ records: [LocalRecord<Entity>]
    ) throws -> (undone: [String: LocalCopy], older: [LocalCopy]) {
        let known = try replica.load(Entity.self, records.map(\.id))
        var undone: [String: LocalCopy] = [:]
        var older: [LocalCopy] = []
        for theirs in records {
            guard let copy = known[theirs.id] else { continue }
            switch copy.record.base {
            case .document(let ours, let revision):
                guard try isLost(ours, -revision, theirs) else { continue }
                try list(ours, theirs, copy)
                older.append(copy)
            case .tombstone(let revision, let last):
                // Somebody who knew of the deletion may have brought the record back since.
                guard try wasMade(theirs, before: -revision) else { continue }
                if copy.record.operations.isEmpty {
                    undone[theirs.id] = copy
                } else if let last, try isLost(last, -revision, theirs) {
                    try list(last, theirs, copy)
                }
            case .nothing: break
            }
        }
        return (undone, older)
    }

    /// Whether a record was made before its deletion came to be known here. Where revisions cannot be compared, the record
    /// counts as made before if it is older than the last sync, because that sync would have shown a newer one.
    private func wasMade<Entity: SyncEntity>(
        _ theirs: LocalRecord<Entity>, before revision: Int64
    ) throws -> Bool {
        if shared != nil { return theirs.createdRevision < revision }
        guard let made = theirs.server.createdAt,
            let known = try replica.store.value(Timestamp.self, for: MetadataKey.lastSync)
        else { return false }
        return try made < replica.store.serverClock().now(at: known)
    }

    /// The server's version as open deletions of its parents show it here.
    private func shown<Entity: SyncEntity>(_ theirs: LocalRecord<Entity>) throws -> VisibleRecord {
        var record = OpenRecord(
            shape: Entity.shape, base: .document(try theirs.document, revision: theirs.revision))
        record.parentDeletions = try replica.parentDeletions(of: record, Entity.self)
        return record.visible
    }

    private func isLost<Entity: SyncEntity>(
        _ ours: RecordDocument, _ revision: Int64, _ theirs: LocalRecord<Entity>
    ) throws -> Bool {
        // The revision is 0 where only the older routes have shown the version.
        if let shared, revision > 0 { return try revision > shared && theirs.document != ours }
        guard let there = theirs.server.updatedAt, let here = ours.updatedAt else { return false }
        return there < here
    }

    private func list<Entity: SyncEntity>(
        _ ours: RecordDocument, _ theirs: LocalRecord<Entity>, _ copy: LocalCopy
    ) throws {
        let document = try theirs.document
        var values = FieldPatch(from: document, to: ours, shape: copy.record.shape).values
        // A reference that went with its parent comes and goes with the deletion of that.
        if let shown = try shown(theirs).document {
            for path in Entity.parents.map({ FieldPath($0.field) })
            where shown[path] != document[path] && shown[path] == ours[path] {
                values[path] = nil
            }
        }
        try ConflictList(replica: replica).add(lostByServer: values, standing: document, of: copy.key)
    }

    /// Lets a deletion that the server has lost wait for the person, and keeps the record deleted here until then. The
    /// deletion of a parent that waits already is enough for what it hides. What was made or moved beneath the record after
    /// the deletion had waited for the record, and goes on waiting behind the deletion.
    func park<Entity: SyncEntity>(deletionOf copy: LocalCopy, _ theirs: LocalRecord<Entity>) throws {
        var record = copy.record
        record.base = .document(try theirs.document, revision: theirs.revision)
        record.parentDeletions = try replica.parentDeletions(of: record, copy.type)
        if record.isHidden {
            try replica.save(copy, as: record, created: theirs.createdRevision)
            return
        }
        let later = LaterChildren(replica: replica)
        let children = try later.children(of: copy.key)
        record.operations = [
            OpenOperation(.delete, key: replica.identifiers.makeId(), position: .max, isParked: true)
        ]
        try replica.save(copy, as: record, created: theirs.createdRevision, parked: { _ in .lostByServer })
        for child in children { try later.putBehind(child) }
    }
}
