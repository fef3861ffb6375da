import TrendyDomain

extension InMemoryDataStore {
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: LocalRecord<Entity>] {
        let rows = contents.records[try table(of: type)] ?? [:]
        return try ids.reduce(into: [:]) { found, id in
            found[id] = try rows[id].map { try Self.read(LocalRecord<Entity>.self, $0.record, type, id) }
        }
    }

    func standings(_ entityType: EntityType, ids: [String]) throws -> [String: RecordStanding] {
        let rows = contents.records[try table(of: entityType)] ?? [:]
        return ids.reduce(into: [:]) { standings, id in
            guard let record = rows[id]?.record else { return }
            standings[id] = RecordStanding(
                syncStatus: record.syncStatus, revision: record.revision, createdRevision: record.createdRevision)
        }
    }

    func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String] {
        let rows = contents.records[try table(of: entityType)] ?? [:]
        try check(condition, of: entityType)
        let found = rows.filter { $1.strings[condition.field] == condition.value }.keys
        return Array(found.sorted(by: IdOrder.precedes).prefix(max(0, limit)))
    }

    func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        let table = try table(of: Entity.self)
        let rows = try records.map { ($0.id, try Self.row($0)) }
        try write { $0.records[table, default: [:]].merge(rows) { $1 } }
    }

    func delete(_ entityType: EntityType, ids: [String]) throws {
        let table = try table(of: entityType)
        try write { contents in
            for id in ids { contents.records[table]?[id] = nil }
        }
    }

    func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws {
        let table = try table(of: entityType)
        try write { contents in
            for confirmation in confirmations { contents.records[table]?[confirmation.id]?.record.take(confirmation) }
        }
    }

    // MARK: Bases

    func bases(_ entityType: EntityType, ids: [String]) throws -> [String: RecordBase] {
        let bases = contents.bases[entityType] ?? [:]
        return ids.reduce(into: [:]) { $0[$1] = bases[$1] }
    }

    func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String] {
        (contents.bases[entityType] ?? [:])
            .filter { $1.document?[condition.field] == .string(condition.value) }
            .keys.sorted(by: IdOrder.precedes)
    }

    func putBases(_ bases: [RecordBase]) throws {
        try write { contents in
            for base in bases { contents.bases[base.entityType, default: [:]][base.id] = base }
        }
    }

    func deleteBases(_ entityType: EntityType, ids: [String]) throws {
        try write { contents in
            for id in ids { contents.bases[entityType]?[id] = nil }
        }
    }

    func voidRevisions(keepingFormer: Bool) throws {
        let sign: Int64 = keepingFormer ? -1 : 0
        try write { contents in
            contents.records = contents.records.mapValues { $0.mapValues { $0.voided(sign) } }
            for (kind, bases) in contents.bases {
                contents.bases[kind] = bases.mapValues { base in
                    var base = base
                    (base.revision, base.createdRevision) = (sign * abs(base.revision), 0)
                    return base
                }
            }
        }
    }

    // MARK: Marks

    func mark(_ entityType: EntityType, ids: [String]) throws {
        try write { $0.marks[entityType, default: []].formUnion(ids) }
    }

    func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String] {
        let table = try table(of: entityType)
        let contents = contents
        let all = Set((contents.records[table] ?? [:]).keys).union((contents.bases[entityType] ?? [:]).keys)
        let unmarked = all.subtracting(contents.marks[entityType] ?? [])
        let rest = id.map { id in unmarked.filter { IdOrder.precedes(id, $0) } } ?? unmarked
        return Array(rest.sorted(by: IdOrder.precedes).prefix(max(0, limit)))
    }

    func clearMarks() throws {
        try write { $0.marks = [:] }
    }

    // MARK: Outbox

    func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        let ids = Set(ids)
        return contents.queue.mutations.filter { mutation in
            mutation.entityType == entityType && (mutation.state.isUnsent || mutation.state.name == .parked)
                && ids.contains(mutation.entityId)
        }
    }

    func updateMutations(_ mutations: [PendingMutation]) throws {
        try write { contents in
            for mutation in mutations { contents.queue.replace(mutation) }
        }
    }

    func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws {
        try write { contents in
            for id in ids {
                guard var mutation = contents.queue.find(id: id) else { continue }
                mutation.state = .accepted
                mutation.payload = nil
                mutation.lastError = nil
                mutation.settledAt = moment
                contents.queue.replace(mutation)
            }
        }
    }
}

extension StoredVersion {
    fileprivate mutating func take(_ confirmation: RecordConfirmation) {
        syncStatus = .synced
        revision = confirmation.revision
        createdRevision = confirmation.createdRevision ?? createdRevision
        server.createdAt = confirmation.server.createdAt ?? server.createdAt
        server.updatedAt = confirmation.server.updatedAt ?? server.updatedAt
        server.userId = confirmation.server.userId ?? server.userId
    }
}

extension InMemoryRecord {
    fileprivate func voided(_ sign: Int64) -> InMemoryRecord {
        var stored = self
        (stored.record.revision, stored.record.createdRevision) = (sign * abs(stored.record.revision), 0)
        return stored
    }
}
