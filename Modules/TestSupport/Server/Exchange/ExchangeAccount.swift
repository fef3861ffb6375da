import TrendyDomain

/// Names a record.
struct ExchangeName: Sendable, Hashable {
    let entityType: EntityType
    let id: String

    init(_ entityType: EntityType, _ id: String) {
        (self.entityType, self.id) = (entityType, id)
    }
}

/// A live record.
struct ExchangeRecord: Sendable {
    /// Its own fields; a field without a value is left out.
    var fields: [String: JSONValue]
    var createdAt: Timestamp
    var updatedAt: Timestamp
    var revision: Int64
    var createdRevision: Int64

    var server: ServerFields { ServerFields(userId: "user", createdAt: createdAt, updatedAt: updatedAt) }

    /// The record with what the server adds.
    var document: JSONValue {
        let added: [String: JSONValue] = [
            "user_id": "user", "created_at": .string("\(createdAt)"), "updated_at": .string("\(updatedAt)"),
        ]
        return .object(fields.merging(added) { $1 })
    }
}

/// What a server keeps of an account, and the way in which it changes: each change takes the next revision.
struct ExchangeAccount: Sendable {
    var epoch: String
    var head: Int64 = 0
    var horizon: Int64 = 0
    /// The run that has made the head, and how far those before it went.
    var run = ""
    var endedRuns: [String: Int64] = [:]
    var records: [ExchangeName: ExchangeRecord] = [:]
    var tombstones: [ExchangeName: Int64] = [:]
    var keys: [String: KeptKey] = [:]
    /// The records whose mutations it rejects, with the reason.
    var refused: [String: [FieldError]] = [:]

    /// What the server remembers of an accepted mutation's key.
    struct KeptKey: Sendable {
        let name: ExchangeName
        let revision: Int64
        /// What it stands for: a key that comes with anything else is a new one.
        private let operation: MutationOperation
        private let data: JSONValue?

        init(of mutation: SyncMutation, revision: Int64) {
            name = ExchangeName(mutation.entityType, mutation.entityId)
            (operation, data) = (mutation.operation, mutation.data)
            self.revision = revision
        }

        var isUpdate: Bool { operation == .update }

        func isOf(_ mutation: SyncMutation) -> Bool {
            name == ExchangeName(mutation.entityType, mutation.entityId) && operation == mutation.operation
                && data == mutation.data
        }
    }

    init(epoch: String) { self.epoch = epoch }

    /// Whether all revisions that a device knows are of this history.
    func proves(_ request: SyncRequest, _ cursor: ProvenCursor?) -> Bool {
        guard let epoch = request.epoch else { return true }
        guard cursor != nil || epoch == self.epoch else { return false }
        let named = cursor?.run ?? run
        let known = request.mutations.reduce(cursor?.head ?? 0) { max($0, $1.base) }
        return (named == run ? head : endedRuns[named]).map { known <= $0 } ?? false
    }

    /// Notes that the run of before went that far, where another has gone on.
    mutating func takeOver(by next: String, from end: Int64) {
        if next == run { return }
        endedRuns[run] = end
        run = next
    }

    /// Adds a record, or puts it in the place of its former version; does nothing where they are equal.
    mutating func store(_ fields: [String: JSONValue], as name: ExchangeName, at now: Timestamp) {
        let old = records[name]
        if old?.fields == fields { return }
        head += 1
        tombstones[name] = nil
        records[name] = ExchangeRecord(
            fields: fields, createdAt: old?.createdAt ?? now, updatedAt: max(now, old?.updatedAt ?? now),
            revision: head,
            createdRevision: old?.createdRevision ?? head)
    }

    /// Deletes a record: first what cannot be without it, then it, with fields emptied that refer to it.
    mutating func delete(_ name: ExchangeName, _ schema: EntitySchema, at now: Timestamp) {
        for child in dependents(of: name, schema).reversed() + [name] {
            for (other, fields) in references(to: child, .clear, schema) where other != child {
                guard let record = records[other] else { continue }
                store(record.fields.filter { !fields.contains($0.key) }, as: other, at: now)
            }
            head += 1
            records[child] = nil
            tombstones[child] = head
        }
    }

    /// The records that cannot be without that one, theirs included, each after the one that it needs.
    func dependents(of name: ExchangeName, _ schema: EntitySchema) -> [ExchangeName] {
        var found = [name]
        var index = 0
        while index < found.count {
            found += references(to: found[index], .cascade, schema).map(\.name).filter { !found.contains($0) }
            index += 1
        }
        return Array(found.dropFirst())
    }

    /// The records that name that one, in the order of their ids, with the fields in which they do.
    private func references(
        to name: ExchangeName, _ deletion: ParentReference.Deletion, _ schema: EntitySchema
    ) -> [(name: ExchangeName, fields: Set<String>)] {
        var found: [ExchangeName: Set<String>] = [:]
        for (type, reference) in schema.children(of: name.entityType) where reference.onDelete == deletion {
            for (other, record) in records where other.entityType == type.entityType {
                guard record.fields[reference.field] == .string(name.id) else { continue }
                found[other, default: []].insert(reference.field)
            }
        }
        return found.sorted { $0.key.id < $1.key.id }.map { ($0.key, $0.value) }
    }
}
