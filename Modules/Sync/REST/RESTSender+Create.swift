import TrendyDomain

extension RESTSender {
    func create(_ known: KnownVersion?) async throws -> SyncResult? {
        guard let document = kind.canonical(mutation.document) else {
            return SyncResult(
                key: mutation.key, outcome: .rejected,
                message: "it is no \(kind.entityType.displayName) that can be sent")
        }
        if let seen = exchange.observed[mutation.record] {
            guard let there = seen.document else {
                return SyncResult(key: mutation.key, outcome: .deleted, revision: seen.revision)
            }
            return try await exists(document, there, known, seen)
        }
        if let known, known.document == nil, known.revision != mutation.base {
            return SyncResult(key: mutation.key, outcome: .deleted, revision: known.revision)
        }
        if looksFirst || known?.document != nil {
            switch try await exchange.look(kind, id) {
            case .success(.some(let there)): return try await exists(document, there, known)
            case .failure(let error): return try await refused(error, [:])
            case .success(.none):
                // It may have arrived, and been deleted since.
                let isDeletion = known?.document == nil && mutation.base == 0
                if isDeletion, exchange.cursor.feed.endsDeleted(mutation.record) { return try await gone(known) }
                try await exchange.confirmAPI()
            }
        }
        let answer = try await exchange.ask {
            try await exchange.records.create(kind.type, document, key: mutation.key)
        }
        switch answer {
        case .success(let made) where made["id"]?.stringValue?.lowercased() == id.lowercased():
            guard let made = kind.canonical(made) else { return nil }
            return try await finish(document, made)
        case .success(let other): return try await standsFor(document, other)
        case .failure(let error) where error.status == 409 || error.isServerFailure:
            return try await failed(document, error, known)
        case .failure(let error): return try await refused(error, document)
        }
    }

    /// Draws the consequences of an answer that says that the record was made.
    ///
    /// What the route for new records leaves out is sent as an edit: deployed servers ignore the place of an event that is
    /// sent by itself, and keep it in an edit.
    func finish(_ sent: RecordDocument, _ answer: RecordDocument) async throws -> SyncResult? {
        var made = answer
        made["id"] = .string(id)
        var lost = check.fieldsNotTaken(sent, made)
        if !lost.isEmpty {
            let rest = sent.filter { lost.contains($0.key) }
            let answer = try await put(rest, over: sent, key: RESTPush.key(of: [mutation.key, "rest"]))
            switch answer {
            case .success(let completed):
                made = completed
                lost = check.fieldsNotTaken(sent, made)
            case .failure(let error) where error.isServerFailure: return nil
            case .failure: break
            }
        }
        if lost.isEmpty { return accepted(made, expecting: sent, over: nil) }
        exchange.observe(kind, id, made, over: nil)
        return check.rejection(lost, of: mutation, sent: sent)
    }

    /// The result of a create whose id the server has already.
    private func exists(
        _ sent: RecordDocument, _ there: RecordDocument, _ known: KnownVersion?,
        _ seen: RESTExchange.Observation? = nil
    ) async throws -> SyncResult? {
        var whole = sent
        for field in kind.type.fields where whole[field] == nil { whole[field] = .null }
        let different = check.fieldsNotTaken(whole, there)
        if different.isEmpty { return accepted(there, expecting: sent, over: known, isReplayed: true) }
        // Nobody has changed it since it was made: what is not there was left out.
        let isUntouched = there.createdAt != nil && there.createdAt == there.updatedAt
        if looksFirst, isUntouched, different.allSatisfy({ there[$0] ?? .null == .null }) {
            return try await finish(sent, there)
        }
        let seen = seen ?? exchange.observe(kind, id, there, over: known, isTold: false)
        return showing(there, .exists, seen.revision, seen.createdRevision)
    }

    /// Servers keep one record for a thing that they recognise, and answer with that. What they answer may be empty but
    /// for the id.
    private func standsFor(_ sent: RecordDocument, _ answer: RecordDocument) async throws -> SyncResult? {
        guard let other = answer["id"]?.stringValue,
            case .success(.some(let there)) = try await exchange.look(kind, other), kind.isTwin(there, sent)
        else { return nil }
        return try duplicate(of: there)
    }

    private func failed(
        _ sent: RecordDocument, _ error: APIError, _ known: KnownVersion?
    ) async throws -> SyncResult? {
        switch try await exchange.look(kind, id) {
        case .success(.some(let there)): return try await exists(sent, there, known)
        case .failure: return nil
        case .success(.none): try await exchange.confirmAPI()
        }
        // A server that fails may have found nothing wrong but its own trouble; a name that is taken is one all the same.
        if error.status == 409 || !kind.type.naturalKey.isEmpty, let twin = try await push.finder.twin(of: sent, kind) {
            return push.isLeaving(kind.key(of: twin)) ? nil : try duplicate(of: twin)
        }
        return try await refused(error, sent)
    }

    private func duplicate(of twin: RecordDocument) throws -> SyncResult {
        let key = kind.key(of: twin)
        let known = try exchange.known(key)
        if let document = known?.document, kind.isSame(document, twin), let known {
            return showing(twin, .duplicate, known.revision, known.createdRevision)
        }
        let seen =
            exchange.observed[key]
            ?? exchange.observe(kind, key.entityId, twin, over: known, isTold: false)
        return showing(twin, .duplicate, seen.revision, seen.createdRevision)
    }
}
