import TrendyDomain

/// Sends one mutation, and finds out what became of it.
///
/// There is one rule: if it is not certain what the server has, the record is fetched and compared, before a request
/// or after it. A failure means that the server failed, and nobody knows whether the mutation took effect.
struct RESTSender {
    unowned let push: RESTPush
    let kind: RESTKind
    let mutation: SyncMutation
    let known: KnownVersion?
    /// Whether an earlier request may have carried it out.
    var mayBeDone: Bool
    /// The record that a create sends, or the version that an edit begins from; nil if there is no usable one.
    let document: RecordDocument?

    private var exchange: RESTExchange { push.exchange }
    private var id: String { mutation.entityId }
    var isCreate: Bool { mutation.operation == .create }

    typealias Outcome = Result<SyncResult, APIError>

    func send() async throws -> Outcome {
        if let refusal = push.blockedInRequest(self) ?? unsendable { return .success(refusal) }
        if isEarly { return .success(tooEarly()) }
        if let seen = exchange.observed[mutation.record] {
            if let result = compare(seen.document, mayBeDone, seen) { return .success(result) }
        } else if isCreate, let known, known.document == nil, known.revision != mutation.base {
            return .success(deleted(known.revision))
        } else if needsLook {
            switch try await exchange.look(kind, id, isNew: isNew) {
            case .success(let there): if let result = compare(there, mayBeDone) { return .success(result) }
            case .failure(let error): return try await refused(error)
            }
        }
        if let refusal = try push.blockedByDeletion(self) { return .success(refusal) }
        switch mutation.operation {
        case .create: return try await create()
        case .update: return try await update()
        case .delete: return try await delete()
        }
    }

    /// Whether it makes a record that the server is not known to have.
    private var isNew: Bool { isCreate && known?.document == nil }

    /// Whether the server may have another version than the base of the mutation.
    private var needsLook: Bool {
        if mayBeDone { return true }
        if isCreate { return known?.document != nil }
        // The revision is 0 where nobody knows which version the server has.
        let isOld = known.map { $0.revision <= exchange.cursor.skipped ?? 0 } ?? true
        return document == nil || known?.revision != mutation.base || isOld || !push.isFeedRead
    }

    /// The refusal of a create that makes no record, or of an edit that names unknown fields.
    private var unsendable: SyncResult? {
        if isCreate { return document == nil ? rejected("it is no record that can be sent") : nil }
        let strange = mutation.document.keys.filter { !kind.fields.contains($0) }.sorted()
        let errors = strange.map { FieldError(field: $0, message: "is unknown to this version", code: "unknown") }
        return strange.isEmpty ? nil : rejected("this version does not know \(strange.joined(separator: ", "))", errors)
    }

    // MARK: Comparing

    /// The result if the server's version decides it; nil if the mutation is still to be carried out.
    ///
    /// - Parameter isDone: Whether a request may have carried it out.
    private func compare(_ there: RecordDocument?, _ isDone: Bool, _ seen: KnownVersion? = nil) -> SyncResult? {
        guard let there else {
            // Where the device has seen the record, somebody has deleted it since.
            if isCreate && seen == nil && known?.document == nil { return nil }
            if let known, known.document == nil, seen == nil { return deleted(known.revision) }
            // As far as is known, the server has never had it.
            if known == nil, seen == nil, mutation.operation == .delete { return deleted(0) }
            return deleted((seen ?? exchange.observe(kind, id, nil, over: known)).revision)
        }
        if isCreate {
            var whole = document ?? [:]
            for field in kind.fields where whole[field] == nil { whole[field] = .null }
            if kind.fieldsNotTaken(whole, there).isEmpty { return accepted(there, isReplayed: true) }
            if isDone, let document, let made = passed({ kind.fieldsNotTaken(whole, $0).isEmpty }) {
                return carriedOut(made, there, over: document, seen, isReplayed: true)
            }
            return showing(there, .exists, seen)
        }
        if kind.isSame(document, there) {
            return known?.revision == mutation.base ? nil : showing(there, .stale, known)
        }
        if isDone, mutation.operation == .update, let base = document {
            let made = passed { version in
                guard let then = base.updatedAt, let time = version.updatedAt, time > then else { return false }
                return kind.fieldsNotTaken(values, version, over: base).isEmpty
            }
            // A restored server may have an older version with the same values.
            let isOlder = base.updatedAt.flatMap { then in there.updatedAt.map { $0 < then } } ?? false
            let isTaken = !isOlder && kind.fieldsNotTaken(values, there, over: base).isEmpty
            if let made = made ?? (isTaken ? there : nil) {
                return carriedOut(made, there, over: base, seen, isReplayed: true)
            }
        }
        return showing(there, .stale, seen)
    }

    /// The result of an edit or create that an earlier request has carried out, as the feed shows; nil where it does not.
    func arrived() -> SyncResult? {
        guard mayBeDone, mutation.operation != .delete, let seen = exchange.observed[mutation.record],
            push.blockedInRequest(self) == nil, unsendable == nil,
            let result = compare(seen.document, true, seen), result.outcome == .accepted
        else { return nil }
        return result
    }

    /// A version of the record that the feed has shown and that meets a condition.
    private func passed(_ condition: (RecordDocument) -> Bool) -> RecordDocument? {
        exchange.passed[mutation.record]?.first(where: condition)
    }

    /// Decides by what the server has, after an answer that does not tell it.
    private func decide(after error: APIError) async throws -> Outcome {
        if error.mayBeOfWay { push.noteTrouble(mutation, onWay: error) }
        // To make a record that is there is no conflict for a route for single ones.
        if !(isCreate && error.status == 409) {
            let isUnclear = error.isServerFailure || [404, 409, 410].contains(error.status ?? 0)
            guard isUnclear,
                case .success(let there) = try await exchange.look(kind, id, after: error, isNew: isNew)
            else { return try await refused(error) }
            if let result = compare(there, true) { return .success(result) }
        }
        if let result = try await taken(error) { return result }
        return try await refused(error)
    }

    /// The result if a value is refused because another record has it; nil if that is not what is wrong.
    ///
    /// That another record has the natural key is reason enough. What only deployed servers demand to be unique others
    /// allow, so that it must be said, or an edit must have failed without a word of anything else.
    private func taken(_ error: APIError) async throws -> Outcome? {
        guard mutation.operation != .delete, !error.mayBeOfWay, let wanted = isCreate ? document : edited
        else { return nil }
        let mayCollide = kind.uniqueFields.contains { isCreate || values[$0] != nil }
        let isConflict = error.status == 409 && mayCollide
        let isSaid = error.saysTaken || isConflict && error.isLastingRefusal
        let mayBeSaid = error.maySayTaken && (isConflict || !isCreate && error.status == 500)
        // What an edit leaves as it is cannot be what is wrong with it.
        let sets = kind.uniqueSets.filter { set in
            (set == kind.type.naturalKey || isSaid || mayBeSaid) && (isCreate || set.contains { values[$0] != nil })
        }
        var others: [RecordDocument] = []
        if !sets.isEmpty, !(isSaid && push.rivals.isListedInPages(kind)) {
            do { others = try await push.rivals.others(than: wanted, kind) } catch let problem as APIError
                where !problem.endsExchange && !problem.asksForTime
            {
                // A listing that fails holds up no other mutation. A create that is refused may have arrived before, which only
                // the listing tells.
                if isCreate || !isSaid { return .failure(error) }
            }
        }
        if isCreate, let twin = kind.twin(of: wanted, among: others) {
            return try push.isLeaving(kind.key(of: twin)) ? .failure(error) : .success(duplicate(of: twin))
        }
        for set in sets {
            guard let rival = others.first(where: { $0.hasSame(set, as: wanted) }) else { continue }
            return push.isLeaving(kind.key(of: rival)) ? .failure(error) : .success(rejected(asTaken: set, error))
        }
        return isSaid ? .success(rejected(asTaken: namedFields(error) ?? kind.uniqueFields, error)) : nil
    }

    /// The fields that were sent and that the server's words name; nil where there is none.
    private func namedFields(_ error: APIError) -> [String]? {
        let sent = isCreate ? document ?? [:] : values
        let named = sent.keys.filter { !RecordShape.unchangeable.contains($0) && error.names($0) }.sorted()
        return named.isEmpty ? nil : named
    }

    private func rejected(asTaken fields: [String], _ error: APIError) -> SyncResult {
        let what = fields.isEmpty ? "" : " with this \(fields.joined(separator: " and "))"
        return rejected(
            "the server has another \(kind.entityType.displayName)\(what)",
            fields.map { FieldError(field: $0, message: "is taken", code: FieldError.duplicate) }, error.answer)
    }

    // MARK: Requests

    /// The key of a request with such a body.
    ///
    /// A server replays its answer to a key, so a key stands for one body over one version for ever. A create is all in
    /// the mutation. What an edit sends has whole maps of the version beneath it, so its key tells the body and that
    /// version: by the server's time, because copies of a store count revisions each by themselves. A tombstone has no
    /// such time.
    private func key(of body: RecordDocument?) throws -> String {
        if isCreate, mutation.base == 0 { return mutation.key }
        let version: JSONValue = isCreate ? .integer(mutation.base) : known?.document?["updated_at"] ?? .null
        let said = JSONValue.array([version, body.map { JSONValue.object($0) } ?? .null])
        let digest = RecordDigest.hash(try WireCoding.encode(said))
        return "\(mutation.key)-\(String(digest, radix: 36))"
    }

    private func carry<Answer>(_ send: () async throws -> Answer) async throws -> Result<Answer, APIError> {
        try await exchange.carry([mutation.key], send)
    }

    private func create() async throws -> Outcome {
        guard let document else { return .failure(.malformedResponse("it is no record that can be sent")) }
        let key = try key(of: document)
        switch try await carry({ try await exchange.records.create(kind.type, document, key: key) }) {
        case .success(let made) where made.id.lowercased() == id.lowercased(): return try await settle(made)
        case .success(let other):
            // Servers that recognise a record answer with the one that they have. The answer may be empty except for
            // the id.
            switch try await exchange.look(kind, other.id) {
            case .success(.some(let there)) where kind.isTwin(there, document):
                return .success(try duplicate(of: there))
            case .success: return .failure(.malformedResponse("it is about \(other.id), which is another record"))
            case .failure(let error): return .failure(error)
            }
        case .failure(let error): return try await decide(after: error)
        }
    }

    /// Settles an answer that says that the record was made. If the answer lacks values, the result is `exists`, and
    /// the rest follows as an edit: some routes for new records leave fields out that an edit keeps.
    func settle(_ answer: RecordDocument) async throws -> Outcome {
        var answer = answer
        answer["id"] = .string(id)
        guard let made = kind.canonical(answer), kind.fieldsNotTaken(document ?? [:], made).isEmpty else {
            return try await decide(after: .malformedResponse("it says that the record was made, and shows another"))
        }
        return .success(accepted(made))
    }

    private func update() async throws -> Outcome {
        guard let base = document else { return .failure(.malformedResponse("there is no version to begin from")) }
        if values.isEmpty { return .success(accepted(base)) }
        let there: RecordDocument
        switch try await put(over: base) {
        case .success(let document): there = document
        case .failure(let error): return try await decide(after: error)
        }
        let lost = kind.fieldsNotTaken(values, there, over: base)
        if lost.isEmpty { return .success(carriedOut(there, there, over: base, known, isReplayed: false)) }
        exchange.tell(kind, id, there, over: known, always: true)
        let errors = lost.map { field in
            let wish = values[field] == .null ? "did not clear it" : "did not take the value"
            return FieldError(field: field, message: "was not changed: the server \(wish)", code: FieldError.ignored)
        }
        return .success(
            rejected("the server said that it is saved, but did not take: \(lost.joined(separator: ", "))", errors))
    }

    /// Sends the values of the edit.
    ///
    /// Deployed servers take null and 0 for "unchanged", and fail on an edit that has nothing else. With a value that is
    /// there already they answer, and the answer shows what they did not take.
    private func put(over base: RecordDocument) async throws -> Result<RecordDocument, APIError> {
        let sent = base.filter { RESTKind.alwaysSent.contains($0.key) }.merging(values) { $1 }
        func put(_ values: RecordDocument) async throws -> Result<RecordDocument, APIError> {
            let key = try key(of: values)
            return try await carry { try await exchange.records.update(kind.type, id, values, key: key) }
        }
        let answer = try await put(sent)
        guard case .failure(let error) = answer, error.status == 500, values.values.allSatisfy(\.isAbsentToServers)
        else { return answer }
        let whole = kind.identity(of: base).merging(sent) { $1 }
        return whole == sent ? answer : try await put(whole)
    }

    /// The values to send of the patch. A map goes as a whole, because the server replaces it.
    private var values: [String: JSONValue] {
        let (base, shape) = (document ?? [:], RecordShape(fields: kind.fields, maps: Set(kind.type.mapFields)))
        let edited = FieldPatch(json: mutation.document, to: base, shape: shape).applied(to: base)
        return mutation.document.filter { !RecordShape.unchangeable.contains($0.key) }.reduce(into: [:]) {
            $0[$1.key] = shape.maps.contains($1.key) ? edited[$1.key] ?? [:] : $1.value
        }
    }

    /// The record as the edit makes it.
    private var edited: RecordDocument? { document.flatMap { kind.canonical($0.merging(values) { $1 }) } }

    private func delete() async throws -> Outcome {
        if let document, exchange.changedBeneath.contains(mutation.record) {
            // The person who edited a child must learn of its deletion as a conflict.
            return .success(showing(document, .stale, known))
        }
        let key = try key(of: nil)
        switch try await carry({ try await exchange.records.delete(kind.type, id, key: key) }) {
        case .success(let isReplayed): return try await settleDeletion(isReplayed: isReplayed)
        case .failure(let error): return try await decide(after: error)
        }
    }

    /// The result of a deletion that the server has carried out: now, or for an earlier request, which a copy of this store
    /// may have sent. Since that request, others may have made the record again.
    private func settleDeletion(isReplayed: Bool) async throws -> Outcome {
        var madeAgain: RecordDocument?
        if isReplayed {
            switch try await exchange.look(kind, id) {
            case .success(let there): madeAgain = there
            case .failure(let error): return .failure(error)
            }
        }
        let gone = exchange.observe(kind, id, nil, over: known)
        if let madeAgain {
            exchange.tell(kind, id, madeAgain, over: gone)
        } else if push.isFeedConfirmed {
            exchange.cursor.written = mutation.record
        }
        return .success(SyncResult(key: mutation.key, outcome: .accepted, revision: gone.revision))
    }

    // MARK: Results

    private func deleted(_ revision: Int64) -> SyncResult {
        SyncResult(key: mutation.key, outcome: .deleted, revision: revision)
    }

    private func rejected(
        _ message: String, _ errors: [FieldError]? = nil, _ answer: ServerAnswer? = nil
    ) -> SyncResult {
        var result = SyncResult(key: mutation.key, outcome: .rejected, message: message, errors: errors)
        result.answer = answer
        return result
    }

    private func showing(_ there: RecordDocument, _ outcome: SyncOutcome, _ seen: KnownVersion? = nil) -> SyncResult {
        let seen = seen ?? exchange.observe(kind, id, there, over: known)
        return SyncResult(
            key: mutation.key, outcome: outcome, revision: seen.revision, createdRevision: seen.createdRevision,
            record: .object(there))
    }

    private func accepted(_ there: RecordDocument, isReplayed: Bool = false) -> SyncResult {
        let seen = exchange.observe(kind, id, there, over: known)
        if push.isFeedConfirmed { exchange.cursor.written = mutation.record }
        // The version that the device computes by itself.
        var expected = document ?? [:]
        if !isCreate { expected = kind.canonical(expected.merging(values) { $1 }) ?? expected }
        let isAsSent = kind.fields.allSatisfy { there[$0] == expected[$0] }
        return SyncResult(
            key: mutation.key, outcome: .accepted, revision: seen.revision, createdRevision: seen.createdRevision,
            replayed: isReplayed, record: isAsSent ? .none : .some(.object(there)),
            server: try? WireCoding.value(ServerFields.self, from: there))
    }

    /// The result of a create or an edit that was carried out.
    ///
    /// If the server's version also has values of other devices, the answer tells them as a change of others. So they are
    /// merged with the edits that are still to be sent, even if the feed has not shown them.
    ///
    /// - Parameters:
    ///   - made: A version that the server had of it afterwards.
    ///   - there: The version that the server has now.
    ///   - isReplayed: Whether an earlier request carried it out.
    private func carriedOut(
        _ made: RecordDocument, _ there: RecordDocument, over base: RecordDocument, _ seen: KnownVersion?,
        isReplayed: Bool
    ) -> SyncResult {
        let maps = Set(kind.type.mapFields)
        var taken = values.reduce(into: base) { $0[$1.key] = maps.contains($1.key) ? $1.value : made[$1.key] }
        for field in ["created_at", "updated_at"] { taken[field] = made[field] }
        guard let after = kind.canonical(taken), !kind.isSame(after, there) else {
            return accepted(there, isReplayed: isReplayed)
        }
        let result = accepted(after, isReplayed: isReplayed)
        exchange.tell(kind, id, there, over: exchange.observed[mutation.record] ?? seen, always: true)
        return result
    }

    /// Whether the server has refused an earlier id for its time, so that it need not be asked.
    var isEarly: Bool { isCreate && !mayBeDone && push.isEarly(id) }

    private func tooEarly() -> SyncResult {
        let message = "was made ahead of the server's clock"
        return rejected(message, [FieldError(field: "id", message: message, code: FieldError.tooEarly)])
    }

    /// Whether the server refuses a create because its id is ahead of the server's clock. Some servers say only that the
    /// request is bad: then the clocks decide.
    private func isForTime(_ error: APIError, _ problem: ProblemDetails) -> Bool {
        guard isCreate, [400, 422].contains(error.status ?? 0) else { return false }
        let fields = problem.errors ?? []
        if problem.type == "urn:trendy:error:\(FieldError.tooEarly)" || fields.areForTime { return true }
        guard fields.allSatisfy({ $0.field == "id" }), let made = UUIDv7(id)?.timestamp,
            let reading = exchange.records.client.clockReading
        else { return false }
        let now = exchange.wallClock.now().advanced(bySeconds: -reading.lead)
        return made.seconds(since: now) > ClockReading.tolerance - reading.doubt
    }

    private func duplicate(of twin: RecordDocument) throws -> SyncResult {
        let key = kind.key(of: twin)
        let known = try exchange.known(key)
        let isKnown = kind.isSame(known?.document, twin)
        let seen = isKnown ? known : exchange.observe(kind, key.id, twin, over: known)
        return showing(twin, .duplicate, seen)
    }

    /// The result of a refusal: a missing parent, a broken rule, or the server's failure.
    private func refused(_ error: APIError) async throws -> Outcome {
        if error.mayBeOfWay { return .failure(error) }
        for parent in kind.parents(of: mutation.document) {
            guard let kind = exchange.kind(parent.key.entityType),
                case .success(.none) = try await exchange.look(kind, parent.key.id)
            else { continue }
            return .success(push.blocked(mutation, parent.field, parent.key))
        }
        guard case .http(_, let problem) = error, !error.isServerFailure else { return .failure(error) }
        if isForTime(error, problem) {
            push.noteEarly(id)
            return .success(tooEarly())
        }
        guard error.isLastingRefusal else { return .failure(error) }
        return .success(rejected(problem.userMessage ?? error.description, problem.errors, error.answer))
    }
}

extension RecordDocument {
    /// Whether another version has the same values in some fields.
    fileprivate func hasSame(_ fields: [String], as other: RecordDocument) -> Bool {
        fields.allSatisfy { (self[$0] ?? .null) == (other[$0] ?? .null) }
    }
}
