import TrendyDomain

/// Sends one mutation, and finds out what became of it.
///
/// There is one rule for all: where it is not certain what the server has, the record is fetched and compared, before a
/// request or after one. A result that is nil says that the server failed on it, and nobody knows whether it took effect.
struct RESTSender {
    let push: RESTPush
    let kind: RESTKind
    let mutation: SyncMutation
    let known: KnownVersion?
    /// Whether an earlier request may have carried it out.
    var mayBeDone: Bool
    /// What a create sends, and what an edit begins from; nil where there is none that can be used.
    let document: RecordDocument?

    private var exchange: RESTExchange { push.exchange }
    private var check: SentCheck { SentCheck(kind: kind) }
    private var id: String { mutation.entityId }
    private var isCreate: Bool { mutation.operation == .create }

    init(push: RESTPush, kind: RESTKind, mutation: SyncMutation, known: KnownVersion?, mayBeDone: Bool) {
        self.push = push
        self.kind = kind
        self.mutation = mutation
        self.known = known
        self.mayBeDone = mayBeDone
        document = mutation.operation == .create ? kind.canonical(mutation.document) : known?.document.flatMap(kind.canonical)
    }

    func send() async throws -> SyncResult? {
        if let refusal = push.blockedInRequest(mutation, kind) ?? unsendable { return refusal }
        if let seen = exchange.observed[mutation.record] {
            if let result = compare(seen.document, mayBeDone, seen) { return result }
        } else if isCreate, let known, known.document == nil, known.revision != mutation.base {
            return SyncResult(key: mutation.key, outcome: .deleted, revision: known.revision)
        } else if needsLook {
            switch try await exchange.look(kind, id) {
            case .success(let there): if let result = compare(there, mayBeDone) { return result }
            case .failure(let error): return try await refused(error)
            }
        }
        switch mutation.operation {
        case .create: return try await create()
        case .update: return try await update()
        case .delete: return try await delete()
        }
    }

    /// Whether the server may have something else than what the mutation begins from.
    private var needsLook: Bool {
        if mayBeDone { return true }
        if isCreate { return known?.document != nil }
        return document == nil || known?.revision != mutation.base || !push.isFeedRead
    }

    /// The refusal of what names fields that this version does not know, or makes no record.
    private var unsendable: SyncResult? {
        if isCreate {
            return document == nil ? rejected("it is no \(kind.entityType.displayName) that can be sent") : nil
        }
        let strange = mutation.document.keys.filter { !kind.fields.contains($0) }.sorted()
        if strange.isEmpty { return nil }
        let errors = strange.map {
            FieldError(field: $0, message: "is no field that this version can send", code: "unknown")
        }
        return rejected("the edit names what this version does not know: \(strange.joined(separator: ", "))", errors)
    }

    // MARK: Comparing

    /// The result where what the server has decides it; nil where the mutation is still to be carried out.
    ///
    /// - Parameter isDone: Whether a request may have carried it out.
    private func compare(
        _ there: RecordDocument?, _ isDone: Bool, _ seen: RESTExchange.Observation? = nil
    ) -> SyncResult? {
        guard let there else {
            if isCreate && seen == nil { return nil }
            if let known, known.document == nil, seen == nil { return deleted(known.revision) }
            return deleted((seen ?? exchange.observe(kind, id, nil, over: known, isTold: false)).revision)
        }
        if isCreate {
            var whole = document ?? [:]
            for field in kind.fields where whole[field] == nil { whole[field] = .null }
            if check.fieldsNotTaken(whole, there).isEmpty { return accepted(there, isReplayed: true) }
            return showing(there, .exists, seen)
        }
        if kind.isSame(document, there) {
            guard let known, known.revision != mutation.base else { return nil }
            return showing(
                there, .stale,
                RESTExchange.Observation(revision: known.revision, createdRevision: known.createdRevision))
        }
        if isDone, mutation.operation == .update, let base = document,
            check.fieldsNotTaken(values, there, over: base).isEmpty
        {
            return accepted(there, isReplayed: true)
        }
        return showing(there, .stale, seen)
    }

    /// Decides by what is there now, after an answer that does not tell it.
    private func decide(after error: APIError?) async throws -> SyncResult? {
        let isUnclear = error.map { $0.isServerFailure || [404, 409, 410].contains($0.status ?? 0) } ?? true
        if isUnclear {
            guard case .success(let there) = try await exchange.look(kind, id) else { return try await refused(error) }
            if let result = compare(there, true) { return result }
            if isCreate, let document {
                let others = try await push.others(than: document, kind)
                if let twin = others.first(where: { kind.isTwin($0, document) }) {
                    return push.isLeaving(kind.key(of: twin)) ? nil : try duplicate(of: twin)
                }
                let unique = kind.uniqueValues(of: document)
                if unique != nil, error?.status == 409 || others.contains(where: { kind.uniqueValues(of: $0) == unique }) {
                    let errors = kind.uniqueFields.map { FieldError(field: $0, message: "is taken", code: "taken") }
                    let names = kind.uniqueFields.joined(separator: " and ")
                    return rejected("the server has another \(kind.entityType.displayName) with this \(names)", errors)
                }
            }
        }
        return try await refused(error)
    }

    // MARK: Requests

    /// A server that has answered under a key replays that answer: over another base the mutation has another key.
    private var key: String {
        mutation.base == 0 ? mutation.key : RESTPush.key(of: [mutation.key, "\(mutation.base)"])
    }

    private func create() async throws -> SyncResult? {
        guard let document else { return nil }
        switch try await exchange.ask({ try await exchange.records.create(kind.type, document, key: key) }) {
        case .success(let made) where made.id.lowercased() == id.lowercased(): return try await settle(made)
        case .success(let other):
            // Servers keep one record for a thing that they recognise, and answer with that. What they answer may be
            // empty but for the id.
            guard case .success(.some(let there)) = try await exchange.look(kind, other.id),
                kind.isTwin(there, document)
            else { return nil }
            return try duplicate(of: there)
        case .failure(let error): return try await decide(after: error)
        }
    }

    /// Draws the consequences of an answer that says that the record was made. Where it lacks something, the record is
    /// shown as one that exists, and the rest of it follows as an edit: some routes for new records leave fields out
    /// that an edit keeps.
    func settle(_ answer: RecordDocument) async throws -> SyncResult? {
        var answer = answer
        answer["id"] = .string(id)
        guard let made = kind.canonical(answer), check.fieldsNotTaken(document ?? [:], made).isEmpty else {
            return try await decide(after: nil)
        }
        return accepted(made)
    }

    private func update() async throws -> SyncResult? {
        guard let base = document else { return nil }
        if values.isEmpty { return accepted(base) }
        let sent = base.filter { RESTKind.alwaysSent.contains($0.key) }.merging(values) { $1 }
        let answer = try await exchange.ask {
            try await exchange.records.update(kind.type, id, sent, key: key)
        }
        guard case .success(let answered) = answer, let there = kind.canonical(answered) else {
            if case .failure(let error) = answer { return try await decide(after: error) }
            return try await decide(after: nil)
        }
        let lost = check.fieldsNotTaken(values, there, over: base)
        if lost.isEmpty { return accepted(there) }
        exchange.observe(kind, id, there, over: known)
        let errors = lost.map { field in
            let isClearing = values[field] ?? .null == .null
            let wish = isClearing ? "left it as it was and did not clear it" : "did not take the value"
            return FieldError(field: field, message: "was not changed: the server \(wish)", code: "not_taken")
        }
        let names = lost.joined(separator: ", ")
        return rejected(
            "the server said that the \(kind.entityType.displayName) is saved, but did not take: \(names)", errors)
    }

    /// What is sent of the patch: a map goes whole, because a server replaces it.
    private var values: [String: JSONValue] {
        let (base, shape) = (document ?? [:], RecordShape(fields: kind.fields, maps: Set(kind.type.mapFields)))
        let edited = FieldPatch(json: mutation.document, to: base, shape: shape).applied(to: base)
        return mutation.document.filter { !RecordShape.unchangeable.contains($0.key) }.reduce(into: [:]) {
            $0[$1.key] = shape.maps.contains($1.key) ? edited[$1.key] ?? [:] : $1.value
        }
    }

    private func delete() async throws -> SyncResult? {
        if let document, exchange.changedBeneath.contains(mutation.record) {
            // Who has edited a child must learn of its deletion as a conflict.
            return showing(
                document, .stale,
                RESTExchange.Observation(revision: mutation.base, createdRevision: known?.createdRevision))
        }
        switch try await exchange.ask({ try await exchange.records.delete(kind.type, id, key: key) }) {
        case .success:
            let revision = exchange.observe(kind, id, nil, over: known, isTold: false).revision
            return SyncResult(key: mutation.key, outcome: .accepted, revision: revision)
        case .failure(let error): return try await decide(after: error)
        }
    }

    // MARK: Results

    private func deleted(_ revision: Int64) -> SyncResult {
        SyncResult(key: mutation.key, outcome: .deleted, revision: revision)
    }

    private func rejected(_ message: String, _ errors: [FieldError]? = nil) -> SyncResult {
        SyncResult(key: mutation.key, outcome: .rejected, message: message, errors: errors)
    }

    private func showing(
        _ there: RecordDocument, _ outcome: SyncOutcome, _ seen: RESTExchange.Observation? = nil
    ) -> SyncResult {
        let seen = seen ?? exchange.observe(kind, id, there, over: known, isTold: false)
        return SyncResult(
            key: mutation.key, outcome: outcome, revision: seen.revision, createdRevision: seen.createdRevision,
            record: RESTExchange.json(there))
    }

    private func accepted(_ there: RecordDocument, isReplayed: Bool = false) -> SyncResult {
        let seen = exchange.observe(kind, id, there, over: known, isTold: false)
        // What the device makes of the mutation by itself.
        var expected = document ?? [:]
        if !isCreate { expected = kind.canonical(expected.merging(values) { $1 }) ?? expected }
        let isAsSent = kind.fields.allSatisfy { there[$0] == expected[$0] }
        return SyncResult(
            key: mutation.key, outcome: .accepted, revision: seen.revision, createdRevision: seen.createdRevision,
            replayed: isReplayed, record: isAsSent ? .none : RESTExchange.json(there), server: there.serverFields)
    }

    private func duplicate(of twin: RecordDocument) throws -> SyncResult {
        let key = kind.key(of: twin)
        let known = try exchange.known(key)
        var seen = exchange.observed[key]
        if let known, kind.isSame(known.document, twin) {
            seen = RESTExchange.Observation(revision: known.revision, createdRevision: known.createdRevision)
        }
        return showing(
            twin, .duplicate, seen ?? exchange.observe(kind, key.entityId, twin, over: known, isTold: false))
    }

    /// What a refusal means: a parent that is missing, a rule that is broken, or nothing where the server has failed.
    private func refused(_ error: APIError?) async throws -> SyncResult? {
        for parent in kind.parents(of: mutation.document) where try await isMissing(parent.key) {
            return push.blocked(mutation, parent.field, parent.key)
        }
        guard case .http(_, let problem)? = error, let error, !error.isServerFailure else { return nil }
        return rejected(problem.userMessage ?? error.description, problem.errors)
    }

    private func isMissing(_ parent: RecordKey) async throws -> Bool {
        if let seen = exchange.observed[parent] { return seen.document == nil }
        guard let kind = exchange.kind(parent.entityType),
            case .success(.none) = try await exchange.look(kind, parent.entityId)
        else { return false }
        return true
    }
}
