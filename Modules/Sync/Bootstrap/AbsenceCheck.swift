import TrendyDomain

/// Asks the server for some of the records that no listing has shown, before they are taken for gone.
///
/// A server that lists a part only, or nothing because something is wrong with it, would otherwise have records removed
/// that it has itself. What a listing leaves out, it leaves out in stretches: so a few of each kind tell.
struct AbsenceCheck {
    let cycle: SyncCycle
    let quarantine: Quarantine
    /// Where the feed was before the first listing.
    let startCursor: Int64

    /// - Throws: ``CycleStop/protocolBroken(_:)`` where the server has a record that it has not listed. Nothing that is
    ///   here has changed then; the next bootstrap begins anew.
    func confirm() async throws {
        for type in cycle.schema.types { try await confirm(type) }
    }

    private func confirm<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        for id in some(of: try cycle.read { try absent(type, in: $0) }) where try await isThere(type, id) {
            if try await feedBrings(RecordKey(entityType: Entity.entityType, entityId: id)) { continue }
            try cycle.write { store in
                try store.setMetadata(MetadataKey.bootstrap, nil)
                // A device that has followed the feed can go on with it.
                try store.giveUpFullResync()
            }
            let kind = Entity.entityType.displayName
            throw CycleStop.protocolBroken(
                "the server's list of \(kind)s leaves out \(id), which the server has; nothing was changed here")
        }
    }

    /// The records here that were not listed, and that nobody has changed since the server had them. Those whose parent
    /// was not listed go with it, whatever the server has of them.
    ///
    /// Where the server lists as many as are here, nothing is looked up.
    private func absent<Entity: SyncEntity>(
        _ type: Entity.Type, in store: any DataStoreProtocol
    ) throws -> [String] {
        var listed = Set(try store.stagedIds(type))
        listed.formUnion(try quarantine.listedIds(of: Entity.entityType, in: store))
        if try store.count(type) <= listed.count { return [] }
        let open = MutationQuery(states: [.queued, .sending, .parked], entityType: Entity.entityType)
        listed.formUnion(try store.fetchMutations(open).map(\.entityId))
        var absent: [String] = []
        var parents: [RecordKey: Bool] = [:]
        var last: String?
        while true {
            let page = try store.fetch(type, after: last, limit: Self.pageSize)
            absent += try page.filter { record in
                guard !listed.contains(record.id) else { return false }
                return try cycle.applier(on: store).requiredParents(of: record.entity).allSatisfy { parent in
                    if let known = parents[parent] { return known }
                    let isListed = try isListed(parent, in: store)
                    parents[parent] = isListed
                    return isListed
                }
            }.map(\.id)
            guard page.count == Self.pageSize else { return absent }
            last = page.last?.id
        }
    }

    private func isListed(_ key: RecordKey, in store: any DataStoreProtocol) throws -> Bool {
        guard let type = cycle.schema.type(for: key.entityType) else { return true }
        return try store.isStaged(type, key.entityId)
            || quarantine.listedIds(of: key.entityType, in: store).contains(key.entityId)
    }

    private static var pageSize: Int { 1_000 }

    /// The first, the last, and the one in the middle.
    private func some(of ids: [String]) -> [String] {
        if ids.count <= 3 { return ids }
        return [0, ids.count / 2, ids.count - 1].map { ids[$0] }
    }

    /// Whether the feed tells of a record since the listings began: it was made anew meanwhile, and the pull brings it.
    private func feedBrings(_ key: RecordKey) async throws -> Bool {
        let feed = FeedReader(cycle: cycle)
        var cursor = startCursor
        while true {
            let page = try await feed.page(since: cursor)
            if page.changes.contains(where: { RecordKey($0) == key && $0.operation != .delete }) { return true }
            guard page.hasMore, feed.hasPagesLeft else { return false }
            cursor = page.nextCursor
        }
    }

    private func isThere<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) async throws -> Bool {
        let client = cycle.networkClient
        switch try await cycle.send({ try await client.get(type, id: id) }) {
        case .success(let record): return record != nil
        // One that cannot be read is there; of one that may not be read the listing tells more.
        case .failure(let refusal) where refusal.error.isUnreadableAnswer: return true
        case .failure(let refusal) where refusal.isServerFailure: throw refusal.asStop
        case .failure: return false
        }
    }
}

extension DataStoreProtocol {
    fileprivate func isStaged<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try findStaged(type, id: id) != nil
    }
}
