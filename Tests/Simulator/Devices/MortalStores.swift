import Synchronization
import TrendyDomain

/// The stores of one process: they end with it.
///
/// A process can be told to die at one of its next saves, just before the commit or just after it. From then on
/// nothing that it does reaches the disk, as after `kill -9`.
final class MortalStores: DataStoreFactory {
    /// When a process dies.
    struct Death: Sendable {
        var savesBefore: Int
        /// Whether the last save is committed.
        var afterCommit: Bool
    }

    private struct State {
        var isDead = false
        var death: Death?
        var saves = 0
    }

    private let base: any DataStoreFactory
    private let tampering: (any StoreTampering)?
    private let touches: Touches
    private let state = Mutex(State())

    init(_ base: any DataStoreFactory, tampering: (any StoreTampering)?, touches: Touches) {
        self.base = base
        self.tampering = tampering
        self.touches = touches
    }

    var isDead: Bool { state.withLock { $0.isDead } }

    /// How many saves have been committed.
    var saves: Int { state.withLock { $0.saves } }

    func die() { state.withLock { $0.isDead = true } }

    func die(at death: Death?) { state.withLock { $0.death = death } }

    func makeDataStore() throws -> any DataStoreProtocol {
        try checkAlive()
        let store = MortalStore(try base.makeDataStore(), self)
        return try tampering?.tampered(store) ?? store
    }

    func checkAlive() throws {
        if isDead { throw Self.dead }
    }

    /// Commits, unless death comes first.
    func save(_ store: any DataStoreProtocol, _ written: Touches.Written) throws {
        let death = state.withLock { state -> Death? in
            guard let death = state.death else { return nil }
            if death.savesBefore > 0 {
                state.death?.savesBefore -= 1
                return nil
            }
            state.death = nil
            return death
        }
        try checkAlive()
        if let death, !death.afterCommit {
            die()
            throw Self.dead
        }
        try store.save()
        touches.add(written)
        state.withLock { $0.saves += 1 }
        if death != nil {
            die()
            throw Self.dead
        }
    }

    static let dead = StoreError.failed("the process is dead")
}

/// What a planted bug does to the stores that an engine sees.
protocol StoreTampering: Sendable {
    func tampered(_ store: any DataStoreProtocol) throws -> any DataStoreProtocol
}

/// A unit of work of a process that may die. It notes what it writes.
final class MortalStore: ForwardingStore {
    private let stores: MortalStores
    private var written = Touches.Written()

    init(_ base: any DataStoreProtocol, _ stores: MortalStores) {
        self.stores = stores
        super.init(base)
    }

    override func begin() throws {
        try stores.checkAlive()
        try super.begin()
    }

    override func save() throws {
        try stores.save(base, written)
        written = Touches.Written()
    }

    // MARK: Records

    override func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        written.touch(Entity.entityType, [record.id])
        try super.upsert(record)
    }

    override func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        written.touch(Entity.entityType, records.map(\.id))
        try super.upsert(contentsOf: records)
    }

    override func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool {
        written.touch(Entity.entityType, [id])
        return try super.delete(type, id: id)
    }

    override func delete(_ entityType: EntityType, ids: [String]) throws {
        written.touch(entityType, ids)
        try super.delete(entityType, ids: ids)
    }

    override func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws {
        written.isEverything = true
        try super.deleteAll(type)
    }

    override func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws {
        written.touch(Entity.entityType, [id])
        try super.setSyncStatus(type, id: id, status)
    }

    override func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws {
        written.touch(entityType, confirmations.map(\.id))
        try super.confirm(entityType, confirmations)
    }

    override func putBases(_ bases: [RecordBase]) throws {
        for base in bases { written.touch(base.entityType, [base.id]) }
        try super.putBases(bases)
    }

    override func deleteBases(_ entityType: EntityType, ids: [String]) throws {
        written.touch(entityType, ids)
        try super.deleteBases(entityType, ids: ids)
    }

    override func voidRevisions(keepingFormer: Bool) throws {
        written.isEverything = true
        try super.voidRevisions(keepingFormer: keepingFormer)
    }

    // MARK: Queue and memory

    override func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        written.touch([mutation])
        return try super.insertMutation(mutation)
    }

    override func updateMutation(_ mutation: PendingMutation) throws {
        written.touch([mutation])
        try super.updateMutation(mutation)
    }

    override func updateMutations(_ mutations: [PendingMutation]) throws {
        written.touch(mutations)
        try super.updateMutations(mutations)
    }

    override func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws {
        written.mutations = true
        try super.acceptMutations(ids, at: moment)
    }

    override func markSending(_ ids: [Int64]) throws {
        written.mutations = true
        try super.markSending(ids)
    }

    override func deleteMutation(id: Int64) throws {
        written.mutations = true
        try super.deleteMutation(id: id)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        written.metadata = true
        try super.setMetadata(key, value)
    }

    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        written.documents = true
        try super.putDocument(document)
    }

    override func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws {
        written.documents = true
        try super.deleteDocument(type, id: id)
    }
}
