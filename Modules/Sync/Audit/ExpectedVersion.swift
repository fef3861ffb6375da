import TrendyDomain

/// What a device expects the server to have of one of its records.
enum ExpectedVersion<Entity: SyncEntity> {
    /// This version: the record without the edits that wait.
    case version(Entity)
    /// Nothing can be said: a change that makes, deletes or replaces the record waits.
    case open

    init(of record: LocalRecord<Entity>, in store: any DataStoreProtocol) throws {
        let open = try store.openMutations(Entity.entityType, record.id)
        if open.isEmpty {
            self = .version(record.entity)
            return
        }
        // What the person is asked about has no version that both sides could share.
        guard open.allSatisfy({ $0.operation == .update && !$0.isParkedAsDeletedElsewhere }),
            let former = Self.former(open)
        else {
            self = .open
            return
        }
        let isWaiting = try store.fetchDocuments(WaitingVersion.self)
            .contains { $0.entityType == Entity.entityType && $0.entityId == record.id }
        guard !isWaiting, let version = try? Patch<Entity>(changes: former).applied(to: record.entity) else {
            self = .open
            return
        }
        self = .version(version)
    }

    /// The values from which the edits began; nil where one of them does not tell.
    private static func former(_ edits: [PendingMutation]) -> [String: JSONValue]? {
        var former: [String: JSONValue] = [:]
        for edit in edits {
            guard let patch = try? edit.patch(of: Entity.self), let base = try? edit.baseValues(),
                patch.changes.keys.allSatisfy({ base[$0] != nil })
            else { return nil }
            former.merge(base) { earlier, _ in earlier }
        }
        return former
    }
}

/// Says of a record whether both sides have it alike.
struct RecordJudge<Entity: SyncEntity> {
    enum Verdict {
        /// Both sides have this version.
        case equal(Entity)
        /// Neither side has it.
        case absent
        /// A change that waits here decides what becomes of it.
        case waiting
        /// They differ; with the version that is expected of the server, where there is one.
        case different(RecordDifference, here: Entity?)
    }

    private let store: any DataStoreProtocol
    private let leaving: LeavingRecords

    init(store: any DataStoreProtocol, schema: EntitySchema) {
        self.store = store
        leaving = LeavingRecords(store: store, schema: schema)
    }

    func judge(_ pair: RecordPairs<Entity>.Pair) throws -> Verdict {
        switch (pair.here, pair.there) {
        case (nil, nil): return .absent
        case (nil, let there?): return try judge(only: there)
        case (.unreadable(let id, let reason)?, _): return .different(difference(id, .unreadable(reason)), here: nil)
        case (.record(let here)?, let there):
            if here.syncStatus == .synced, here.entity == there?.entity { return .equal(here.entity) }
            guard case .version(let expected) = try ExpectedVersion(of: here, in: store) else { return .waiting }
            guard let there else { return .different(difference(here.id, .onlyHere), here: expected) }
            let fields = try differingFields(expected, there.entity)
            if fields.isEmpty { return .equal(there.entity) }
            return .different(difference(here.id, .fields(fields)), here: expected)
        }
    }

    private func judge(only there: Remote<Entity>) throws -> Verdict {
        if try leaving.contains(there) { return .waiting }
        let open = try store.openMutations(Entity.entityType, there.id)
        if open.contains(where: { $0.operation == .create }) { return .waiting }
        return .different(difference(there.id, .onlyThere), here: nil)
    }

    private func difference(_ id: String, _ kind: RecordDifference.Kind) -> RecordDifference {
        RecordDifference(Entity.entityType, id, kind)
    }

    private func differingFields(_ here: Entity, _ there: Entity) throws -> [FieldDifference] {
        if here == there { return [] }
        let changes = try Patch(from: there, to: here).changes
        let theirs = try WireCoding.fields(of: there)
        var fields: [FieldDifference] = []
        for (field, value) in changes.sorted(by: { $0.key < $1.key }) {
            let other = theirs[field] ?? .null
            if value == .null, try goes(field, other) { continue }
            fields.append(FieldDifference(field: field, here: value, there: other))
        }
        return fields
    }

    /// Whether a reference was cleared here with the deletion of its record, which the server has not heard of.
    private func goes(_ field: String, _ value: JSONValue) throws -> Bool {
        guard let id = value.stringValue,
            let reference = Entity.parents.first(where: { $0.field == field && $0.onDelete == .clear })
        else { return false }
        return try leaving.contains(RecordKey(entityType: reference.entityType, entityId: id))
    }
}
