import TrendyDomain

/// Reads a listing that is said to come in one answer, and the rest of it where the server sends a part all the same.
struct WholeListing<Entity: SyncEntity> {
    let cycle: SyncCycle

    /// How often a listing that shifts under the reader is begun anew before the reader goes on regardless.
    private static var patience: Int { 100 }

    /// All records, or all beneath a parent; none where that parent is gone.
    ///
    /// - Parameter isEnough: Told what has come so far; true ends the reading.
    /// - Throws: ``Refusal`` where the server does not list them.
    func read(
        beneath parentId: String? = nil, until isEnough: (ListPage<Entity>) throws -> Bool = { _ in false }
    ) async throws -> ListPage<Entity> {
        var request = ListRequest(limit: .max, parentId: parentId)
        var whole = ListPage<Entity>(records: [])
        var seen: Set<JSONValue> = []
        var memory = PageMemory<Entity>()
        var setbacks = 0
        while true {
            guard let page = try await answer(to: request) else { return whole }
            let isKnown = page.records.contains { seen.contains(.string($0.id)) } || memory.hasUnusable(of: page)
            let fresh = memory.saw(page)
            let count = whole.count
            whole.records += fresh.records.filter { seen.insert(.string($0.id)).inserted }
            whole.undecodable += fresh.undecodable
            let limit = cycle.configuration.listingLimit
            if whole.count > limit {
                let kind = Entity.entityType.displayName
                throw CycleStop.protocolBroken("the server's list of \(kind)s does not end: it has more than \(limit)")
            }
            if try isEnough(whole) || isComplete { return whole }
            if request.offset > 0, memory.canOverlap, page.count > 0, !isKnown, setbacks < Self.patience {
                // Rows have moved up behind the reader's back.
                setbacks += 1
                request.offset = 0
                (whole, seen) = (ListPage(records: []), [])
                memory.goBack(toBeginning: true)
                continue
            }
            if whole.count == count { return whole }
            request.offset += page.count - (memory.canOverlap ? 1 : 0)
        }
    }

    private var isComplete: Bool { cycle.networkClient.capabilities(of: Entity.entityType).fillsPages }

    /// A page; nil where the server has none there.
    private func answer(to request: ListRequest) async throws -> ListPage<Entity>? {
        let client = cycle.networkClient
        switch try await cycle.send({ try await client.list(Entity.self, request) }) {
        case .success(let page): return page
        case .failure(let refusal) where request.isForRest(refusedWith: refusal): return nil
        case .failure(let refusal) where refusal.status == 404 && request.parentId != nil: return nil
        case .failure(let refusal): throw refusal
        }
    }
}

extension ListRequest {
    /// Whether a server has only refused to pass over what it has listed before, of a list that it has in one piece.
    func isForRest(refusedWith refusal: Refusal) -> Bool {
        limit == .max && offset > 0 && (400..<500).contains(refusal.status) && !refusal.isServerFailure
    }
}
