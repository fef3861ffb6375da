import TrendyDomain

/// A store that hands everything to another; what is to differ is overridden.
class ForwardingStore: DataStoreProtocol {
    let base: any DataStoreProtocol

    init(_ base: any DataStoreProtocol) { self.base = base }

    func begin() throws { try base.begin() }
    func save() throws { try base.save() }

    func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>? {
        try base.find(type, id: id)
    }

    func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition?
    ) throws -> [LocalRecord<Entity>] {
        try base.fetch(type, where: condition)
    }

    func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, after id: String?, limit: Int
    ) throws -> [LocalRecord<Entity>] {
        try base.fetch(type, after: id, limit: limit)
    }

    func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int { try base.count(type) }
    func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws { try base.upsert(record) }

    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool {
        try base.delete(type, id: id)
    }

    func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws { try base.deleteAll(type) }

    func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws {
        try base.setSyncStatus(type, id: id, status)
    }

    func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation { try base.insertMutation(mutation) }
    func updateMutation(_ mutation: PendingMutation) throws { try base.updateMutation(mutation) }

    func markSending(_ ids: [Int64]) throws { try base.markSending(ids) }
    func deleteMutation(id: Int64) throws { try base.deleteMutation(id: id) }
    func findMutation(id: Int64) throws -> PendingMutation? { try base.findMutation(id: id) }
    func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] { try base.fetchMutations(query) }
    func countMutations(_ query: MutationQuery) throws -> Int { try base.countMutations(query) }
    func metadata(_ key: String) throws -> String? { try base.metadata(key) }
    func setMetadata(_ key: String, _ value: String?) throws { try base.setMetadata(key, value) }
    func putDocument<Document: StoredDocument>(_ document: Document) throws { try base.putDocument(document) }

    func findDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws -> Document? {
        try base.findDocument(type, id: id)
    }

    func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        try base.fetchDocuments(type)
    }

    func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int {
        try base.countDocuments(type)
    }

    func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws {
        try base.deleteDocument(type, id: id)
    }

    // MARK: Versions

    func fetch<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: LocalRecord<Entity>] {
        try base.fetch(type, ids: ids)
    }

    func standings(_ entityType: EntityType, ids: [String]) throws -> [String: RecordStanding] {
        try base.standings(entityType, ids: ids)
    }

    func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String] {
        try base.ids(entityType, where: condition, limit: limit)
    }

    func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        try base.upsert(contentsOf: records)
    }

    func delete(_ entityType: EntityType, ids: [String]) throws { try base.delete(entityType, ids: ids) }

    func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws {
        try base.confirm(entityType, confirmations)
    }

    func bases(_ entityType: EntityType, ids: [String]) throws -> [String: RecordBase] {
        try base.bases(entityType, ids: ids)
    }

    func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String] {
        try base.baseIds(entityType, where: condition)
    }

    func putBases(_ bases: [RecordBase]) throws { try base.putBases(bases) }
    func deleteBases(_ entityType: EntityType, ids: [String]) throws { try base.deleteBases(entityType, ids: ids) }
    func voidRevisions(keepingFormer: Bool) throws { try base.voidRevisions(keepingFormer: keepingFormer) }
    func mark(_ entityType: EntityType, ids: [String]) throws { try base.mark(entityType, ids: ids) }

    func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String] {
        try base.unmarkedIds(entityType, after: id, limit: limit)
    }

    func clearMarks() throws { try base.clearMarks() }

    func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        try base.openMutations(entityType, ids: ids)
    }

    func updateMutations(_ mutations: [PendingMutation]) throws { try base.updateMutations(mutations) }

    func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws { try base.acceptMutations(ids, at: moment) }
}
