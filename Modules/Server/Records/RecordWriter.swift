import Foundation
import TrendyDomain

/// Writes the records of one user within one transaction, each with its entry in the change log.
struct RecordWriter {
    /// A record as it is after a write.
    struct Written {
        var document: Data
        /// The revision that the write gave it; that of before where nothing changed.
        var revision: Int64
        /// False where the record was there before.
        var isNew: Bool
    }

    /// How far the clock of the device that made an id may be ahead, in milliseconds.
    static let toleratedClockLead: Int64 = 60_000

    let transaction: any ServerTransaction
    let catalog: RecordCatalog
    let userId: String
    let now: Timestamp
    let revisions: RevisionSequence
    /// Parents that were found to be there and the user's own.
    private var knownParents: Set<RecordKey> = []

    init(
        transaction: any ServerTransaction, catalog: RecordCatalog, userId: String, now: Timestamp,
        revisions: RevisionSequence
    ) {
        self.transaction = transaction
        self.catalog = catalog
        self.userId = userId
        self.now = now
        self.revisions = revisions
    }

    /// The user's record of that name.
    ///
    /// - Throws: ``ServerProblem`` where there is none, or it is another user's.
    func existing(_ key: RecordKey) throws -> StoredRecord {
        guard let record = try transaction.record(key), record.userId == userId else {
            throw ServerProblem.missing(key.entityType, key.id)
        }
        return record
    }

    /// Makes a record, or puts it in the place of the one that has its id or its upsert key.
    mutating func create(_ prepared: PreparedRecord, _ kind: RecordKind) throws -> Written {
        try checkClock(of: prepared.id)
        var prepared = prepared
        if let upsertKey = prepared.index.upsertKey,
            let id = try transaction.recordId(of: kind.entityType, upsertKey: upsertKey, userId: userId),
            id != prepared.id
        {
            try checkOwner(of: RecordKey(kind.entityType, prepared.id))
            prepared = try prepared.withId(id)
        }
        let key = RecordKey(kind.entityType, prepared.id)
        guard let old = try transaction.record(key) else {
            try check(prepared, kind)
            return try insert(prepared, key)
        }
        guard old.userId == userId else { throw ServerProblem.missing(key.entityType, key.id) }
        try check(prepared, kind)
        return try replace(old, by: prepared, kind)
    }

    /// Changes fields of a record.
    ///
    /// - Parameter applied: The patch on the record as it was before; it counts where the record is the same still.
    mutating func update(
        _ key: RecordKey, by patch: PreparedPatch, _ applied: AppliedPatch?, _ kind: RecordKind
    ) throws -> Written {
        let old = try existing(key)
        let current = applied.flatMap { $0.document == old.document ? $0.result : nil }
        let prepared = try current?.get() ?? patch.applied(old.document)
        try check(prepared, kind)
        return try replace(old, by: prepared, kind)
    }

    /// Puts a record in the place of an older version of it; does nothing where they are equal.
    func replace(_ old: StoredRecord, by prepared: PreparedRecord, _ kind: RecordKind) throws -> Written {
        if RecordDocument.holds(old.document, prepared.json) {
            return Written(document: old.document, revision: old.revision, isNew: false)
        }
        // A clock that was set back must not make a record older: clients take the later version for the newer one.
        let updatedAt = max(now, old.updatedAt)
        let document = RecordDocument.make(
            prepared.json, userId: userId, createdAt: old.createdAt, updatedAt: updatedAt)
        let record = StoredRecord(
            key: old.key, userId: userId, document: document, createdAt: old.createdAt, updatedAt: updatedAt,
            revision: try revisions.next(), createdRevision: old.createdRevision)
        try transaction.update(record, index: prepared.index, replacing: kind.codec.index(of: old.document))
        try log(.update, old.key, document)
        return Written(document: document, revision: record.revision, isNew: false)
    }

    func log(_ operation: ChangeOperation, _ key: RecordKey, _ document: Data?) throws {
        try transaction.append(
            NewChange(userId: userId, key: key, operation: operation, document: document, at: now))
    }

    /// Adds a record that is not there; a tombstone of its name goes.
    func insert(_ prepared: PreparedRecord, _ key: RecordKey) throws -> Written {
        let document = RecordDocument.make(prepared.json, userId: userId, createdAt: now, updatedAt: now)
        let revision = try revisions.next()
        let record = StoredRecord(
            key: key, userId: userId, document: document, createdAt: now, updatedAt: now, revision: revision,
            createdRevision: revision)
        try transaction.deleteTombstones([key], userId: userId)
        try transaction.insert(record, index: prepared.index)
        try log(.create, key, document)
        return Written(document: document, revision: revision, isNew: true)
    }
}

extension RecordWriter {
    /// The id is a UUID of version 7 that was not made ahead of time.
    func checkClock(of id: String) throws {
        guard let made = UUIDv7(id)?.timestamp else {
            throw ServerProblem.field("id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
        }
        guard made <= now.advanced(byMilliseconds: Self.toleratedClockLead) else {
            throw ServerProblem.field(
                "id", "was made more than a minute ahead of the server's clock; check the clock of the device",
                code: "future_timestamp", kind: .futureTimestamp)
        }
    }

    private func checkOwner(of key: RecordKey) throws {
        guard try transaction.owner(of: key) ?? userId == userId else {
            throw ServerProblem.missing(key.entityType, key.id)
        }
    }

    /// Every parent is there, and no other record has the natural key.
    mutating func check(_ prepared: PreparedRecord, _ kind: RecordKind) throws {
        let errors = try missingParents(of: prepared, kind)
        guard errors.isEmpty else {
            let error = ValidationError(entityType: kind.entityType, fields: errors)
            throw ServerProblem(.validation, error.description, errors: errors)
        }
        try checkNaturalKey(prepared, kind)
        if let upsertKey = prepared.index.upsertKey,
            let id = try transaction.recordId(of: kind.entityType, upsertKey: upsertKey, userId: userId),
            id != prepared.id
        {
            throw ServerProblem(.conflict, "the \(kind.entityType.displayName) \(id) stands for the same thing")
        }
    }

    /// A complaint for each field that names a record which is not there.
    mutating func missingParents(of prepared: PreparedRecord, _ kind: RecordKind) throws -> [FieldError] {
        var errors: [FieldError] = []
        for reference in prepared.index.references where !knownParents.contains(reference.parent) {
            if reference.parent == RecordKey(kind.entityType, prepared.id) { continue }
            if try transaction.owner(of: reference.parent) == userId {
                knownParents.insert(reference.parent)
            } else {
                let message =
                    "names the \(reference.parent.entityType.displayName) \(reference.parent.id), "
                    + "which does not exist"
                errors.append(FieldError(field: reference.field, message: message, code: "unknown_reference"))
            }
        }
        return errors
    }

    private func checkNaturalKey(_ prepared: PreparedRecord, _ kind: RecordKind) throws {
        guard let naturalKey = prepared.index.naturalKey,
            let id = try transaction.recordId(of: kind.entityType, naturalKey: naturalKey, userId: userId),
            id != prepared.id
        else { return }
        let fields = kind.type.naturalKey.joined(separator: " and ")
        throw ServerProblem(
            .conflict, "another \(kind.entityType.displayName) has the same \(fields): \(id)",
            errors: [
                FieldError(
                    field: kind.type.naturalKey.last ?? "", message: "is taken by another record", code: "duplicate")
            ])
    }

    /// Forgets which parents were found, once one of them may be gone.
    mutating func forgetParents() { knownParents = [] }
}
