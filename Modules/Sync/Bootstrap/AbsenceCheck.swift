import TrendyDomain

/// Asks the server for some of the records that no listing has shown, before they are taken for gone.
///
/// A server that lists a part only, those in use say, or nothing because something is wrong with it, would otherwise have
/// records removed that it has itself. What a listing leaves out, it leaves out in stretches: so a few of each kind tell.
/// Where one of them is there, all are asked for.
struct AbsenceCheck {
    let cycle: SyncCycle
    let quarantine: Quarantine
    /// Where the feed was before the first listing.
    let startCursor: Int64

    /// So many records of a kind are asked for one by one; of more that are missing the listing counts as broken.
    private static let lookLimit = 1_000
    /// After so many requests the lease is renewed.
    private static let leaseInterval = 20

    /// Stages what the server has and has not listed.
    ///
    /// - Throws: ``CycleStop/protocolBroken(_:)`` where that is too much, or cannot be read. Nothing that is here has
    ///   changed then; the next bootstrap begins anew.
    func confirm() async throws {
        for type in cycle.schema.types { try await confirm(type) }
    }

    private func confirm<Entity: SyncEntity>(_ type: Entity.Type) async throws {
        let absent: [String] = try cycle.read { try self.absent(type, in: $0) }
        for id in some(of: absent) {
            let look = try await look(for: id, type)
            if case .gone = look { continue }
            if try await feedBrings(RecordKey(entityType: Entity.entityType, entityId: id)) { continue }
            guard absent.count <= Self.lookLimit, case .there = look else { try giveUp(type, id) }
            return try await stage(type, absent)
        }
    }

    /// Stages those of these records that the server has.
    private func stage<Entity: SyncEntity>(_ type: Entity.Type, _ absent: [String]) async throws {
        for (index, id) in absent.enumerated() {
            switch try await look(for: id, type) {
            case .there(let record): try cycle.write { try $0.stage([record]) }
            case .unreadable: try giveUp(type, id)
            case .gone: if index.isMultiple(of: Self.leaseInterval) { try cycle.write { _ in } }
            }
        }
    }

    private func giveUp<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Never {
        try cycle.abandonBootstrap()
        let kind = Entity.entityType.displayName
        throw CycleStop.protocolBroken(
            "the server's list of \(kind)s leaves out \(id), which the server has; nothing was changed here")
    }

    /// The records here that were not listed, and that nobody has changed since the server had them. Those whose parent
    /// was not listed go with it, whatever the server has of them.
    ///
    /// Where the server lists as many as are here, nothing is looked up: what is missing was replaced by others.
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
        // What stands before that may be any former version: it does not tell that the listing was right.
        var cursor = startCursor
        var pages = 0
        while true {
            let page = try await feed.page(since: cursor)
            pages += 1
            if pages.isMultiple(of: Self.leaseInterval) { try cycle.write { _ in } }
            if page.changes.contains(where: { RecordKey($0) == key && $0.operation != .delete }) { return true }
            guard page.hasMore, feed.hasPagesLeft else { return false }
            cursor = page.nextCursor
        }
    }

    private enum Look<Entity: SyncEntity> {
        case there(Remote<Entity>)
        case unreadable
        case gone
    }

    private func look<Entity: SyncEntity>(for id: String, _ type: Entity.Type) async throws -> Look<Entity> {
        switch try await AnswerCheck<Entity>(cycle: cycle).get(id) {
        case .success(let record?) where record.id == id && (try? record.entity.validateReceived()) != nil:
            return .there(record)
        case .success(.some): return .unreadable
        case .success(nil): return .gone
        case .failure(let refusal) where refusal.error.isUnreadableAnswer: return .unreadable
        case .failure(let refusal) where refusal.isServerFailure: throw refusal.asStop
        // Of one that may not be read the listing tells more.
        case .failure: return .gone
        }
    }
}

extension DataStoreProtocol {
    fileprivate func isStaged<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Bool {
        try findStaged(type, id: id) != nil
    }
}
