import TrendyDomain

/// Sends one mutation, and finds out what became of it.
///
/// A result that is nil says that the server failed on it, and nobody knows whether it took effect.
struct RESTSender {
    let push: RESTPush
    let kind: RESTKind
    let mutation: SyncMutation
    /// Whether the server may have it already.
    let looksFirst: Bool

    var exchange: RESTExchange { push.exchange }
    var check: SentCheck { SentCheck(kind: kind) }
    var id: String { mutation.entityId }

    /// What a server loses of a record where a change does not name it.
    private static let alwaysSent: [EntityType: [String]] = [.propertyDefinition: ["display_order"]]

    func send() async throws -> SyncResult? {
        if let blocked = push.blockedInRequest(mutation, kind) { return blocked }
        let known = try exchange.known(mutation.record)
        switch mutation.operation {
        case .create: return try await create(known)
        case .update: return try await update(known)
        case .delete: return try await delete(known)
        }
    }

    // MARK: Update

    private func update(_ known: KnownVersion?) async throws -> SyncResult? {
        let strange = mutation.document.keys.filter { !kind.fields.contains($0) }.sorted()
        if !strange.isEmpty {
            let errors = strange.map {
                FieldError(field: $0, message: "is no field that this version can send", code: "unknown")
            }
            return SyncResult(
                key: mutation.key, outcome: .rejected,
                message: "the edit names what this version does not know: \(strange.joined(separator: ", "))",
                errors: errors)
        }
        let base: RecordDocument
        switch try await standing(known) {
        case .answered(let result): return result
        case .base(let document): base = document
        }
        let values = values(over: base)
        if values.isEmpty { return accepted(base, expecting: base, over: known) }
        let answer = try await put(values, over: base, key: mutation.key)
        switch answer {
        case .success(let document): return settle(document, values, base, known)
        case .failure(let error) where error.status == 404 || error.status == 410 || error.isServerFailure:
            // Deployed servers answer 500 for what is gone.
            switch try await exchange.look(kind, id) {
            case .success(.none): return try await gone(known)
            case .success(.some(let there)) where check.fieldsNotTaken(values, there, over: base).isEmpty:
                return accepted(there, expecting: expected(values, base), over: known)
            case .success(.some(let there)) where !kind.isSame(there, base): return stale(there, known)
            case .success, .failure: return try await refused(error, values)
            }
        case .failure(let error): return try await refused(error, values)
        }
    }

    /// What is sent of the patch: a map goes whole, because a server replaces it.
    private func values(over base: RecordDocument) -> [String: JSONValue] {
        let shape = RecordShape(fields: kind.fields, maps: Set(kind.type.mapFields))
        let patch = FieldPatch(json: mutation.document, to: base, shape: shape)
        let edited = patch.applied(to: base)
        return mutation.document.reduce(into: [:]) { values, change in
            guard !RecordShape.unchangeable.contains(change.key) else { return }
            values[change.key] = shape.maps.contains(change.key) ? edited[change.key] ?? [:] : change.value
        }
    }

    private func expected(_ values: [String: JSONValue], _ base: RecordDocument) -> RecordDocument {
        kind.canonical(base.merging(values) { $1 }) ?? base
    }

    func put(
        _ values: [String: JSONValue], over base: RecordDocument, key: String
    ) async throws -> Result<RecordDocument, APIError> {
        var values = values
        for field in Self.alwaysSent[kind.entityType] ?? [] where values[field] == nil {
            if let value = base[field] { values[field] = value }
        }
        return try await exchange.ask { try await exchange.records.update(kind.type, id, values, key: key) }
            .flatMap { document in
                kind.canonical(document).map { .success($0) }
                    ?? .failure(.malformedResponse("it is no \(kind.entityType.displayName) that can be used"))
            }
    }

    private func settle(
        _ answer: RecordDocument, _ values: [String: JSONValue], _ base: RecordDocument, _ known: KnownVersion?
    ) -> SyncResult {
        let lost = check.fieldsNotTaken(values, answer, over: base)
        if lost.isEmpty { return accepted(answer, expecting: expected(values, base), over: known) }
        exchange.observe(kind, id, answer, over: known)
        return check.rejection(lost, of: mutation, sent: values)
    }

    // MARK: Delete

    private func delete(_ known: KnownVersion?) async throws -> SyncResult? {
        switch try await standing(known) {
        case .answered(let result): return result
        case .base(let document):
            // Who has edited a child must learn of its deletion as a conflict.
            if exchange.changedBeneath.contains(mutation.record) {
                return showing(document, .stale, known?.revision ?? 0, known?.createdRevision)
            }
        }
        let answer = try await exchange.ask { try await exchange.records.delete(kind.type, id, key: mutation.key) }
        switch answer {
        case .success:
            let revision = exchange.observe(kind, id, nil, over: known, isTold: false).revision
            return SyncResult(key: mutation.key, outcome: .accepted, revision: revision)
        case .failure(let error) where error.status == 404 || error.status == 410 || error.isServerFailure:
            if case .success(.none) = try await exchange.look(kind, id) { return try await gone(known) }
            return try await refused(error, [:])
        case .failure(let error): return try await refused(error, [:])
        }
    }

    // MARK: Compare and set

    private enum Standing {
        case answered(SyncResult?)
        case base(RecordDocument)
    }

    /// Whether the server's record is still the base of an update or a deletion.
    private func standing(_ known: KnownVersion?) async throws -> Standing {
        if let seen = exchange.observed[mutation.record] {
            guard let document = seen.document else {
                return .answered(SyncResult(key: mutation.key, outcome: .deleted, revision: seen.revision))
            }
            return .answered(showing(document, .stale, seen.revision, seen.createdRevision))
        }
        let base = known?.document.flatMap(kind.canonical)
        if let base, known?.revision == mutation.base, push.isFeedRead, !looksFirst { return .base(base) }
        switch try await exchange.look(kind, id) {
        case .failure(let error): return .answered(try await refused(error, [:]))
        case .success(.none): return .answered(try await gone(known))
        case .success(.some(let there)):
            guard let base, let known, kind.isSame(there, base) else {
                return .answered(alreadyDone(there, known) ?? stale(there, known))
            }
            if known.revision == mutation.base { return .base(base) }
            return .answered(showing(base, .stale, known.revision, known.createdRevision))
        }
    }

    /// The result where an earlier request has made the update already.
    private func alreadyDone(_ there: RecordDocument, _ known: KnownVersion?) -> SyncResult? {
        guard looksFirst, mutation.operation == .update, let base = known?.document else { return nil }
        let values = values(over: base)
        guard check.fieldsNotTaken(values, there, over: base).isEmpty else { return nil }
        return accepted(there, expecting: expected(values, base), over: known, isReplayed: true)
    }

    // MARK: Results

    func gone(_ known: KnownVersion?) async throws -> SyncResult {
        try await exchange.confirmAPI()
        if let known, known.document == nil {
            return SyncResult(key: mutation.key, outcome: .deleted, revision: known.revision)
        }
        let revision = exchange.observe(kind, id, nil, over: known, isTold: false).revision
        return SyncResult(key: mutation.key, outcome: .deleted, revision: revision)
    }

    private func stale(_ there: RecordDocument, _ known: KnownVersion?) -> SyncResult {
        let seen = exchange.observe(kind, id, there, over: known, isTold: false)
        return showing(there, .stale, seen.revision, seen.createdRevision)
    }

    func showing(
        _ document: RecordDocument, _ outcome: SyncOutcome, _ revision: Int64, _ createdRevision: Int64?
    ) -> SyncResult {
        SyncResult(
            key: mutation.key, outcome: outcome, revision: revision, createdRevision: createdRevision,
            record: RESTExchange.json(document))
    }

    /// - Parameter expected: What the device makes of the mutation by itself.
    func accepted(
        _ answer: RecordDocument, expecting expected: RecordDocument, over known: KnownVersion?,
        isReplayed: Bool = false
    ) -> SyncResult {
        let seen = exchange.observe(kind, id, answer, over: known, isTold: false)
        let isAsSent = kind.type.fields.allSatisfy { answer[$0] == expected[$0] }
        return SyncResult(
            key: mutation.key, outcome: .accepted, revision: seen.revision, createdRevision: seen.createdRevision,
            replayed: isReplayed, record: isAsSent ? .none : RESTExchange.json(answer), server: answer.serverFields)
    }

    /// What a refusal means: a parent that is missing, a rule that is broken, or nothing where the server has failed.
    func refused(_ error: APIError, _ values: RecordDocument) async throws -> SyncResult? {
        for parent in kind.parents(of: values) where try await isMissing(parent.key) {
            return push.blocked(mutation, parent.field, parent.key)
        }
        guard case .http(let status, let problem) = error, status < 500 else { return nil }
        return SyncResult(
            key: mutation.key, outcome: .rejected, message: problem.userMessage ?? error.description,
            errors: problem.errors)
    }

    private func isMissing(_ parent: RecordKey) async throws -> Bool {
        if let seen = exchange.observed[parent] { return seen.document == nil }
        guard let kind = RESTKind(parent.entityType, in: exchange.schema),
            case .success(.none) = try await exchange.look(kind, parent.entityId)
        else { return false }
        try await exchange.confirmAPI()
        return true
    }
}
