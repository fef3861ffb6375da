import TrendyDomain

/// Looks once more at records that seem to differ.
///
/// A listing is some seconds old by the time that it is compared. So the server is asked for each of these records as
/// it is now, and then for what the feed has become: only a record that the feed has not named since that answer
/// differs for good.
final class DifferenceCheck<Entity: SyncEntity> {
    private let audit: StoreAudit
    private var cycle: SyncCycle { audit.cycle }
    /// What the server answered; nil where it has no such record. What is not here is as it was listed.
    private var answers: [String: Remote<Entity>?] = [:]
    private var unusable: Set<String> = []
    /// Those whose latest answer was about another record, as a proxy gives it that mixes answers up.
    private var unanswered: Set<String> = []

    /// How often a record that changes meanwhile is looked at.
    private static var rounds: Int { 3 }
    /// So many records are asked for one by one: a third of the 300 requests a minute that the contract grants. For
    /// more, their kind is listed anew.
    private static var singles: Int { 100 }

    init(audit: StoreAudit) {
        self.audit = audit
    }

    /// Adds what really differs, and the digests of all of these records, to what is known of their kind.
    func confirm(_ suspects: [String], _ kind: inout StoreAuditReport.Kind) async throws {
        var open = suspects
        for _ in 0..<Self.rounds where !open.isEmpty {
            try await ask(for: open)
            cycle.touched = []
            defer { cycle.touched = nil }
            try await audit.pull()
            open = try judge(open, touched: cycle.touched ?? [], &kind)
        }
        kind.unsettled += open.count
        kind.differences.sort { $0.entityId.utf8.lexicographicallyPrecedes($1.entityId.utf8) }
    }

    /// The server's version of a record that differs, as it was seen last.
    func remote(_ id: String, in store: any DataStoreProtocol) throws -> Remote<Entity>? {
        if let answer = answers[id] { return answer }
        return try store.findStaged(Entity.self, id: id)
    }

    // MARK: Asking

    private func ask(for ids: [String]) async throws {
        unanswered = []
        guard ids.count > Self.singles else {
            for id in ids { try await ask(for: id) }
            return
        }
        for id in ids { answers[id] = nil }
        try await audit.stage(Entity.self)
    }

    private func ask(for id: String) async throws {
        try audit.keepLease()
        switch try await cycle.look(Entity.self, id) {
        case .success(let remote?) where remote.id != id: unanswered.insert(id)
        case .success(let remote):
            let isUsable = remote.map { (try? $0.entity.validateReceived()) != nil } ?? true
            if isUsable { answers[id] = .some(remote) } else { unusable.insert(id) }
        case .failure(let refusal):
            // An id that no route takes is that of no record there.
            if [400, 404, 410, 422].contains(refusal.status) {
                answers[id] = .some(nil)
            } else if refusal.error.isUnreadableAnswer {
                unusable.insert(id)
            } else {
                throw refusal.asStop
            }
        }
    }

    // MARK: Judging

    /// Answers the ids of those that have moved on meanwhile, or that nothing is known of yet.
    private func judge(
        _ ids: [String], touched: Set<RecordKey>, _ kind: inout StoreAuditReport.Kind
    ) throws -> [String] {
        let store = try cycle.stores.makeDataStore()
        let judge = RecordJudge<Entity>(store: store, schema: cycle.schema)
        var moved: [String] = []
        for id in ids where !unusable.contains(id) {
            if unanswered.contains(id) {
                moved.append(id)
                continue
            }
            let pair = RecordPairs<Entity>.Pair(
                here: try RecordPairs<Entity>.row(id, in: store), there: try remote(id, in: store))
            switch try judge.judge(pair) {
            case .absent: break
            case .waiting: kind.waiting += 1
            case .equal(let record):
                try kind.digestHere.add(record)
                try kind.digestThere.add(record)
            case .different(let difference, let here):
                if try hasMoved(id, pair, touched) {
                    moved.append(id)
                    continue
                }
                if let here { try kind.digestHere.add(here) }
                if let there = pair.there { try kind.digestThere.add(there.entity) }
                kind.differences.append(difference)
            }
        }
        return moved
    }

    /// Whether the feed has named the record or one that it belongs to.
    private func hasMoved(_ id: String, _ pair: RecordPairs<Entity>.Pair, _ touched: Set<RecordKey>) throws -> Bool {
        if touched.isEmpty { return false }
        if touched.contains(RecordKey(entityType: Entity.entityType, entityId: id)) { return true }
        var versions = pair.there.map { [$0.entity] } ?? []
        if case .record(let here) = pair.here { versions.append(here.entity) }
        return try versions.contains { version in
            let fields = try StringFields.of(version)
            return Entity.parents.contains { parent in
                fields[parent.field].map {
                    touched.contains(RecordKey(entityType: parent.entityType, entityId: $0))
                } ?? false
            }
        }
    }
}
