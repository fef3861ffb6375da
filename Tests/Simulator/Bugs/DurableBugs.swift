import TrendyDomain

extension PlantedBug {
    static let durableBugs = [localWriteIsSavedLater, recordIsSavedBeforeMutation]

    /// A local write is not saved when it returns, but with the next unit of work: a dirty store across an await.
    private static let localWriteIsSavedLater = PlantedBug(
        name: "local write is saved later", promise: .durable, knownSeed: 1,
        plant: { _ in
            let waiting = Memory<[DeferredWrites.Write]>([])
            return .store { DeferredWrites($0, waiting) }
        })

    /// The record and its mutation are two saves, between which a process can die.
    private static let recordIsSavedBeforeMutation = PlantedBug(
        name: "record is saved before its mutation", promise: .durable, knownSeed: 28,
        plant: { _ in .store { TwoSaves($0) } })
}

/// Keeps what a person's creation does for the next save.
private final class DeferredWrites: ForwardingStore {
    typealias Write = @Sendable (any DataStoreProtocol) throws -> Void

    private let waiting: Memory<[Write]>
    private var own: [Write] = []
    private var isLocalWrite = false

    init(_ base: any DataStoreProtocol, _ waiting: Memory<[Write]>) {
        self.waiting = waiting
        super.init(base)
    }

    override func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        own.append { try $0.upsert(contentsOf: records) }
        try super.upsert(contentsOf: records)
    }

    override func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        isLocalWrite = true
        own.append { _ = try $0.insertMutation(mutation) }
        return try super.insertMutation(mutation)
    }

    override func save() throws {
        if isLocalWrite {
            let writes = own
            return waiting.use { $0 += writes }
        }
        for write in waiting.use({ waiting in
            defer { waiting = [] }
            return waiting
        }) { try write(base) }
        try super.save()
    }
}

private final class TwoSaves: ForwardingStore {
    override func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        try base.save()
        return try super.insertMutation(mutation)
    }
}
