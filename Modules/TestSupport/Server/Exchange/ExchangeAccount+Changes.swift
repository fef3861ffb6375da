import TrendyDomain

/// A place in the changes of an account, or in a snapshot of it.
enum ExchangeCursor {
    /// Everything up to that revision has been read.
    case changes(after: Int64)
    /// The snapshot that was begun at that head has been read up to this record.
    case snapshot(head: Int64, ExchangeName)

    var revision: Int64 {
        switch self {
        case .changes(let revision): revision
        case .snapshot(let head, _): head
        }
    }

    var text: String {
        switch self {
        case .changes(let revision): "after:\(revision)"
        case .snapshot(let head, let name): "snapshot:\(head):\(name.entityType):\(name.id)"
        }
    }

    init(_ parts: [String]) throws(APIError) {
        switch (parts.first, parts.count > 1 ? Int64(parts[1]) : nil, parts.count) {
        case ("after"?, let revision?, 2): self = .changes(after: revision)
        case ("snapshot"?, let head?, 4):
            self = .snapshot(head: head, ExchangeName(EntityType(rawValue: parts[2]), parts[3]))
        default: throw ProvenCursor.strange
        }
    }
}

/// A place, with the head of the answer that told it and the run that had made that head.
struct ProvenCursor {
    static var strange: APIError { APIError.refusal(400, "validation", "cursor is none of this server") }

    var place: ExchangeCursor
    var run: String
    var head: Int64

    /// The text that a device gets. It has another form than that of other servers, because no device may read
    /// anything from it.
    var text: String { "\(run):\(head):\(place.text)" }

    init(_ place: ExchangeCursor, in account: ExchangeAccount) {
        (self.place, run, head) = (place, account.run, account.head)
    }

    init(text: String) throws(APIError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 2, let head = Int64(parts[1]) else { throw Self.strange }
        (run, self.head) = (parts[0], head)
        place = try ExchangeCursor(Array(parts.dropFirst(2)))
    }
}

extension ExchangeAccount {
    /// Carries out the mutations, then reads what has changed after the cursor.
    mutating func exchange(
        _ request: SyncRequest, from cursor: ExchangeCursor?, limit: Int, run: String, schema: EntitySchema,
        at now: Timestamp
    ) -> SyncResponse {
        let start = head
        let results = carryOut(request.mutations, from: cursor, schema, at: now)
        if head > start { takeOver(by: "\(run)-\(epoch)", from: start) }
        var page: (changes: [SyncChange], next: ExchangeCursor, more: Bool)
        switch cursor {
        case .changes(let revision)?: page = changes(after: revision, limit)
        case .snapshot(let begun, let last)?: page = snapshot(after: last, begunAt: begun, limit, schema)
        case nil: page = snapshot(after: nil, begunAt: start, limit, schema)
        }
        // The result of a mutation tells its record already.
        var told: [ExchangeName: Int64] = [:]
        for (mutation, result) in zip(request.mutations, results) where result.outcome == .accepted && !result.replayed
        {
            told[ExchangeName(mutation.entityType, mutation.entityId)] = result.revision
        }
        page.changes.removeAll { told[ExchangeName($0.entityType, $0.entityId)] == $0.revision }
        return SyncResponse(
            epoch: epoch, head: head, results: results, changes: page.changes,
            cursor: ProvenCursor(page.next, in: self).text,
            more: page.more)
    }

    private func changes(after revision: Int64, _ limit: Int) -> ([SyncChange], ExchangeCursor, Bool) {
        let live = records.map { change($0.key, $0.value) }
        let gone = tombstones.map { SyncChange(entityType: $0.key.entityType, entityId: $0.key.id, revision: $0.value) }
        let found = (live + gone).filter { $0.revision > revision }.sorted { $0.revision < $1.revision }
        let page = Array(found.prefix(limit))
        guard found.count > limit, let last = page.last else { return (page, .changes(after: head), false) }
        return (page, .changes(after: last.revision), true)
    }

    private func snapshot(
        after last: ExchangeName?, begunAt begun: Int64, _ limit: Int, _ schema: EntitySchema
    ) -> ([SyncChange], ExchangeCursor, Bool) {
        let rank = last.map { schema.rank(of: $0.entityType) } ?? 0
        let rest = schema.types.dropFirst(rank).map { $0.entityType }.flatMap { kind in
            list(kind, after: kind == last?.entityType ? last?.id : nil)
        }
        let page = Array(rest.prefix(limit))
        guard rest.count > limit, let end = page.last else { return (page, .changes(after: begun), begun < head) }
        return (page, .snapshot(head: begun, ExchangeName(end.entityType, end.entityId)), true)
    }

    /// The records of a kind whose ids come after that one, in the order of their ids.
    func list(_ entityType: EntityType, after id: String?) -> [SyncChange] {
        records.filter { $0.key.entityType == entityType && $0.key.id > id ?? "" }
            .map { change($0.key, $0.value) }.sorted { $0.entityId < $1.entityId }
    }

    private func change(_ name: ExchangeName, _ record: ExchangeRecord) -> SyncChange {
        SyncChange(
            entityType: name.entityType, entityId: name.id, revision: record.revision,
            createdRevision: record.createdRevision, record: record.document)
    }
}
