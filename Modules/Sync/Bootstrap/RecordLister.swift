import TrendyDomain

/// Lists all records of a kind and stages them.
struct RecordLister<Entity: SyncEntity> {
    let cycle: SyncCycle
    let journal: any ListingJournal

    /// How many pages a listing that shifts under the reader is taken back before the reader goes on regardless.
    private static var patience: Int { 100 }
    /// After so many full pages in a row with the same records as the one before nothing else is to come.
    private static var repetitions: Int { 3 }
    /// After so many that are not full the server knows nothing of offsets, and has shown all that it has.
    private static var shortRepetitions: Int { 2 }
    /// A page begins with the last record of the one before, and has to have one more to get on.
    private static var smallestPage: Int { 2 }

    /// Stages all records of the kind, in the way in which the server lists it.
    func stageAll(_ progress: inout BootstrapProgress) async throws {
        switch cycle.networkClient.capabilities(of: Entity.entityType).listing {
        case .whole: try await stagePages(of: .max, &progress)
        case .paged(let limit): try await stagePages(of: limit, &progress)
        case .perParent(let parent):
            guard let parentType = cycle.schema.type(for: parent) else { break }
            try await stageBeneath(parentType, &progress)
        }
    }

    // MARK: Pages

    /// Stages page after page, until nothing more comes. Each begins with the last record of the one before: where that
    /// record is missing, rows have moved up behind the reader's back, and it goes back until it sees a record that it
    /// knows.
    ///
    /// A page that is too large to be read, or does not come in time, is asked for with half as many records, as are those
    /// after it. A kind that is listed in one piece is asked for all of it, and then for what the server may have kept
    /// back.
    private func stagePages(of usual: Int, _ progress: inout BootstrapProgress) async throws {
        let name = Entity.entityType.rawValue
        var size = try PageSize("list:\(name)", usual: usual, smallest: Self.smallestPage, in: cycle)
        try await stagePages(&size, &progress)
        try size.reachedEnd(in: cycle)
    }

    private func stagePages(_ size: inout PageSize, _ progress: inout BootstrapProgress) async throws {
        var memory = PageMemory<Entity>()
        var unlisted = try cycle.read { try Set($0.fetchDocuments(StagedByPush.self).map(\.id)) }
        var setbacks = 0
        var step = size.limit
        var page = try await fetch(progress, &size)
        while true {
            let start = request(progress, size.limit).offset
            let isContinued = try continues(progress, page, unlisted) || memory.hasUnusable(of: page)
            let fresh = memory.saw(page)
            if try isRepeated(page, size.limit, memory) || (page.count == 0 && size.limit == .max) { return }
            if !isContinued, setbacks < Self.patience {
                setbacks += 1
                try goBack(step, &progress)
                memory.goBack(toBeginning: progress.offset == 0)
                // A listing of which much is gone is not gone through page by page to its beginning.
                step = step > .max / 2 ? .max : step * 2
                page = try await fetch(progress, &size)
                continue
            }
            step = max(page.count, Self.smallestPage)
            // Nothing, or nothing but the record of overlap.
            if isContinued, page.count == progress.offset - start { return }
            progress.offset = start + page.count
            progress.lastId = memory.canOverlap ? page.records.last?.id : nil
            if progress.offset > cycle.configuration.listingLimit {
                try giveUp("does not end: it has more than \(cycle.configuration.listingLimit)")
            }
            let saved = progress
            let whole = try await withParents(fresh)
            // What a push has staged stands where the listing shows it from now on.
            let found = unlisted.intersection(whole.records.map { StagedByPush($0).id })
            unlisted.subtract(found)
            if fillsPages, page.count < size.limit {
                return try cycle.write { try stage(whole, saved, forgetting: found, in: $0) }
            }
            let next = request(saved, size.limit)
            let following = try await stage(whole, saved, forgetting: found, whileFetching: next)
            if let arrived = try received(following, to: next, &size) {
                page = arrived
            } else {
                page = try await fetch(saved, &size)
            }
        }
    }

    /// Whether the client knows that a page shorter than was asked for is the last.
    private var fillsPages: Bool { cycle.networkClient.capabilities(of: Entity.entityType).fillsPages }

    /// Whether a page is the one before again, and so the end of what the server shows.
    ///
    /// - Throws: ``CycleStop`` where it is full, so that the server must have more, of which it does not know the way.
    private func isRepeated(_ page: ListPage<Entity>, _ limit: Int, _ memory: PageMemory<Entity>) throws -> Bool {
        if page.count < limit { return memory.repetitions >= (limit == .max ? 1 : Self.shortRepetitions) }
        if page.count > 1, memory.repetitions >= Self.repetitions { try giveUp("repeats itself for ever") }
        return false
    }

    /// Takes the listing up again further towards its beginning; at its beginning nothing of before counts: where
    /// none of it is there any more, it may have come from another listing.
    private func goBack(_ step: Int, _ progress: inout BootstrapProgress) throws {
        progress.offset = max(0, progress.offset - step)
        guard progress.offset == 0 else { return }
        progress.lastId = nil
        let restarted = progress
        try cycle.write { store in
            try store.clearStaged(Entity.self)
            try journal.forgetElements(of: Entity.entityType, in: store)
            try journal.note(restarted, in: store)
        }
    }

    /// Ends a listing that does not end, and with it the bootstrap, so that nothing of it is taken over.
    private func giveUp(_ reason: String) throws -> Never {
        try cycle.abandonBootstrap()
        throw CycleStop.protocolBroken(
            "the server's list of \(Entity.entityType.displayName)s \(reason)")
    }

    /// Stages a page while the next one is under way.
    private func stage(
        _ page: ListPage<Entity>, _ progress: BootstrapProgress, forgetting found: Set<String>,
        whileFetching next: ListRequest
    ) async throws -> Result<ListPage<Entity>, any Error> {
        try cycle.admit()
        let client = cycle.networkClient
        async let following = Self.answer(client, next)
        try cycle.write { try stage(page, progress, forgetting: found, in: $0) }
        return await following
    }

    private func request(_ progress: BootstrapProgress, _ limit: Int) -> ListRequest {
        // One record of overlap, where there is a record to recognise.
        let overlap = progress.lastId == nil ? 0 : 1
        return ListRequest(limit: limit, offset: max(0, progress.offset - overlap))
    }

    /// Whether a page shows a record of those before it, so that nothing lies between.
    ///
    /// One that has changed since it was listed proves nothing, since it may have been moved to where it is now.
    ///
    /// - Parameter unlisted: What is staged because a push was answered with it, and may stand anywhere.
    private func continues(
        _ progress: BootstrapProgress, _ page: ListPage<Entity>, _ unlisted: Set<String>
    ) throws -> Bool {
        if progress.lastId == nil { return true }
        return try cycle.read { store in
            try page.records.contains { record in
                guard !unlisted.contains(StagedByPush(record).id) else { return false }
                return try store.findStaged(Entity.self, id: record.id) == record
            }
        }
    }

    // MARK: Beneath parents

    private func stageBeneath<Parent: SyncEntity>(_ parent: Parent.Type, _ progress: inout BootstrapProgress)
        async throws
    {
        // A parent that waits aside has children all the same, and may be usable when the listing is long over.
        let parentIds = try cycle.read { store in
            try Set(store.stagedIds(parent) + journal.idsPutAside(of: Parent.entityType, in: store)).sorted()
        }
        for parentId in parentIds where !progress.finishedParents.contains(parentId) {
            let page = try await withParents(children(of: parentId))
            progress.finishedParents.insert(parentId)
            let saved = progress
            try cycle.write { try stage(page, saved, in: $0) }
        }
    }

    /// The children of a record; none where the record has been deleted meanwhile.
    private func children(of parentId: String) async throws -> ListPage<Entity> {
        do {
            return try await WholeListing<Entity>(cycle: cycle).read(beneath: parentId)
        } catch let refusal as Refusal {
            throw refusal.asStop
        }
    }

    // MARK: One page

    /// A page whose records all have their parents in the staging area.
    private func withParents(_ page: ListPage<Entity>) async throws -> ListPage<Entity> {
        var whole = page
        whole.records = try await ParentFetcher(cycle: cycle).stageParents(of: page.records)
        return whole
    }

    /// The page that comes next, with fewer records than `limit` said where so many are too large.
    private func fetch(_ progress: BootstrapProgress, _ size: inout PageSize) async throws -> ListPage<Entity> {
        while true {
            try cycle.admit()
            let request = request(progress, size.limit)
            let answer = await Self.answer(cycle.networkClient, request)
            if let page = try received(answer, to: request, &size) { return page }
        }
    }

    /// The page of an answer; nil, and half the size, where it was too large to be read or did not come in time.
    private func received(
        _ answer: Result<ListPage<Entity>, any Error>, to request: ListRequest, _ size: inout PageSize
    ) throws -> ListPage<Entity>? {
        switch try cycle.settle(answer, silence: .refusesIfTimedOut) {
        case .success(let page):
            size.arrived()
            return page
        case .failure(let refusal) where request.isForRest(refusedWith: refusal): return ListPage(records: [])
        case .failure(let refusal):
            guard try size.shrink(after: refusal, in: cycle) else { throw refusal.asStop }
            return nil
        }
    }

    private static func answer(
        _ client: any NetworkClientProtocol, _ request: ListRequest
    ) async -> Result<ListPage<Entity>, any Error> {
        do { return .success(try await client.list(Entity.self, request)) } catch { return .failure(error) }
    }

    private func stage(
        _ page: ListPage<Entity>, _ progress: BootstrapProgress? = nil, forgetting found: Set<String> = [],
        in store: any DataStoreProtocol
    ) throws {
        try store.stage(page.records)
        for id in found { try store.deleteDocument(StagedByPush.self, id: id) }
        cycle.onReceived(page.records.count)
        for element in page.undecodable { try journal.putAside(element, of: Entity.entityType, in: store) }
        if let progress { try journal.note(progress, in: store) }
    }
}
