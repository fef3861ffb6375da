import TrendyDomain

/// How far a bootstrap has come: kept in the store with every page, so that a crash costs one page at most.
struct BootstrapProgress: Codable, Equatable {
    /// The feed's cursor from before the first listing. Changes after it are pulled afterwards.
    var startCursor: Int64
    /// True where the feed ended before the place to which this device had read it.
    var feedWentBack: Bool?
    /// Kinds whose records are all staged.
    var finished: Set<EntityType> = []
    /// The kind that is being listed.
    var listing: EntityType?
    /// How many of its elements have been passed, for kinds that come in pages.
    var offset = 0
    /// The id of the last record that was staged: the next page must show it again.
    var lastId: String?
    /// Parents whose children have been listed, for kinds that are listed beneath another.
    var finishedParents: Set<String> = []

    mutating func begin(_ entityType: EntityType) {
        guard listing != entityType else { return }
        listing = entityType
        offset = 0
        lastId = nil
        finishedParents = []
    }

    mutating func finish(_ entityType: EntityType) {
        finished.insert(entityType)
        listing = nil
    }
}

/// Names a record that is staged because a push was answered with it while a bootstrap was cut off: where it stands in
/// the listing says nothing of how far that has come.
struct StagedByPush: StoredDocument {
    static let collection = "staged-by-push"
    var id: String

    init<Entity: SyncEntity>(_ record: Remote<Entity>) {
        id = "\(Entity.entityType)-\(record.id)"
    }
}

extension DataStoreProtocol {
    func forgetStagedByPush() throws {
        for staged in try fetchDocuments(StagedByPush.self) { try deleteDocument(StagedByPush.self, id: staged.id) }
    }
}

extension SyncCycle {
    /// Ends a bootstrap of which nothing is to be taken over; the next one begins anew. A device that has followed the
    /// feed goes on with that, and needs none.
    func abandonBootstrap() throws {
        try write { store in
            for type in schema.types { try store.clearStaged(type) }
            try store.forgetStagedByPush()
            try store.setMetadata(MetadataKey.bootstrap, nil)
            try store.giveUpFullResync()
        }
    }
}
