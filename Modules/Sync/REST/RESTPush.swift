import TrendyDomain

/// Sends the mutations of a request, and finds out what became of each.
///
/// Creates go in batches where the server takes them. A batch that fails as a whole goes again with half as many, down
/// to a single one, so that one bad record never keeps anything else from going. What had trouble before goes last.
final class RESTPush {
    let exchange: RESTExchange
    /// Whether the feed was read to its end: what it does not name has not changed.
    let isFeedRead: Bool
    /// The keys of mutations that were not sent, now or before.
    private(set) var unsent: Set<String>

    private let mutations: [SyncMutation]
    /// The keys of the mutations that may have reached the server before.
    private let unanswered: Set<String>
    private let known: [RecordKey: KnownVersion]
    /// The keys of the mutations that go last, each by itself.
    private let late: Set<String>
    /// The creates that would spoil a batch, because another one in it has the same unique fields.
    private var spoilers: [RESTSender] = []
    private let creates: [RecordKey: String]
    private let firstRequest: Int
    private var waiting: [RESTSender] = []
    private var batchless: Set<EntityType> = []
    private var failuresInARow = 0
    private var isEnded = false
    private var listed: [RecordKey: [RecordDocument]] = [:]

    /// So many requests send mutations in one exchange: what they have done is saved then.
    private static let requestLimit = 200
    /// After so many failures on single mutations in a row the server counts as unwell.
    private static let failureLimit = 5
    /// So many mutations are remembered as troubled.
    private static let troubleLimit = 50

    init(_ exchange: RESTExchange, unanswered: Set<String>, isFeedRead: Bool) throws {
        self.exchange = exchange
        self.unanswered = unanswered
        self.isFeedRead = isFeedRead
        firstRequest = exchange.requests
        let all = exchange.request.mutations
        creates = Dictionary(all.filter { $0.operation == .create }.map { ($0.record, $0.key) }) { $1 }
        // What is not sent any more is no trouble any more.
        exchange.cursor.troubled.removeAll { hash in !all.contains { shortHash($0.key) == hash } }
        late = Self.late(of: all, exchange)
        mutations = all.filter { [late] in !late.contains($0.key) } + all.filter { [late] in late.contains($0.key) }
        unsent = Set(all.map(\.key)).subtracting(unanswered)
        known = try Dictionary(grouping: all, by: \.entityType).reduce(into: [:]) { known, group in
            for (id, version) in try exchange.known(group.key, group.value.map(\.entityId)) {
                known[RecordKey(entityType: group.key, entityId: id)] = version
            }
        }
    }

    /// What had trouble before, and what belongs to it.
    private static func late(of mutations: [SyncMutation], _ exchange: RESTExchange) -> Set<String> {
        let troubled = Set(exchange.cursor.troubled)
        var records: Set<RecordKey> = []
        var keys: Set<String> = []
        for mutation in mutations {
            guard let kind = exchange.kind(mutation.entityType) else { continue }
            if troubled.contains(shortHash(mutation.key))
                || kind.parents(of: mutation.document).contains(where: { records.contains($0.key) })
            {
                records.insert(mutation.record)
                keys.insert(mutation.key)
            }
        }
        return keys
    }

    func run() async throws {
        for mutation in mutations where mayGoOn {
            guard let sender = sender(of: mutation) else { continue }
            let isBatchable = isBatchable(sender)
            if let first = waiting.first, !isBatchable || first.kind.entityType != sender.kind.entityType {
                // The creates of parents may overtake those of children that wait for their batch.
                let rank = exchange.schema.rank
                if mutation.operation != .create || rank(mutation.entityType) >= rank(first.mutation.entityType) {
                    try await sendWaiting()
                }
            }
            guard mayGoOn else { return }
            guard isBatchable else {
                try await sendAlone(sender)
                continue
            }
            waiting.append(sender)
            if waiting.count >= size(of: sender.kind) { try await sendWaiting() }
        }
        try await sendWaiting()
        for sender in spoilers where mayGoOn { try await sendAlone(sender) }
    }

    private var mayGoOn: Bool {
        if exchange.requests - firstRequest >= Self.requestLimit { (isEnded, exchange.hasMore) = (true, true) }
        return !isEnded
    }

    // MARK: One by one

    /// What sends a mutation; nil where its result is clear without that.
    private func sender(of mutation: SyncMutation) -> RESTSender? {
        guard let kind = exchange.kind(mutation.entityType) else {
            exchange.results[mutation.key] = SyncResult(
                key: mutation.key, outcome: .rejected,
                message: "this server has no records of the kind \(mutation.entityType.displayName)")
            return nil
        }
        let mayBeDone =
            unanswered.contains(mutation.key) || exchange.cursor.troubled.contains(shortHash(mutation.key))
        return RESTSender(
            push: self, kind: kind, mutation: mutation, known: known[mutation.record], mayBeDone: mayBeDone)
    }

    private func sendAlone(_ sender: RESTSender) async throws {
        let mutation = sender.mutation
        unsent.remove(mutation.key)
        let result: SyncResult?
        do { result = try await sender.send() } catch let error as APIError {
            if error.isSilence { noteTrouble(mutation) }
            throw error
        }
        try settle(mutation, result)
    }

    private func settle(_ mutation: SyncMutation, _ result: SyncResult?) throws {
        let hash = shortHash(mutation.key)
        if let result {
            exchange.results[mutation.key] = result
            exchange.cursor.troubled.removeAll { $0 == hash }
            failuresInARow = 0
            return
        }
        noteTrouble(mutation)
        // What is known as troubled says nothing of the server.
        if !late.contains(mutation.key) { failuresInARow += 1 }
        if failuresInARow >= Self.failureLimit {
            throw APIError.connection("it fails on one change after the other")
        }
    }

    private func noteTrouble(_ mutation: SyncMutation) {
        let hash = shortHash(mutation.key)
        guard !exchange.cursor.troubled.contains(hash) else { return }
        exchange.cursor.troubled = (exchange.cursor.troubled + [hash]).suffix(Self.troubleLimit)
    }

    // MARK: Batches

    private func size(of kind: RESTKind) -> Int {
        exchange.size(Self.name(of: kind), usual: exchange.capabilities(kind).batchLimit)
    }

    private static func name(of kind: RESTKind) -> String { "batch:\(kind.entityType)" }

    private func isBatchable(_ sender: RESTSender) -> Bool {
        let (mutation, kind) = (sender.mutation, sender.kind)
        return mutation.operation == .create && mutation.base == 0 && sender.known == nil
            && !late.contains(mutation.key) && exchange.observed[mutation.record] == nil
            && exchange.capabilities(kind).batchLimit > 1 && sender.document?["id"] == .string(mutation.entityId)
            && blockedInRequest(mutation, kind) == nil
    }

    private func sendWaiting() async throws {
        // A batch is taken whole or not at all: the first one tells of all.
        if let doubtful = waiting.first(where: \.mayBeDone), mayGoOn {
            let there = try await exchange.look(doubtful.kind, doubtful.mutation.entityId)
            let all = waiting
            if case .success(.none) = there {
                for index in waiting.indices { waiting[index].mayBeDone = false }
            } else {
                waiting = all.filter { !$0.mayBeDone }
                for sender in all where sender.mayBeDone && mayGoOn { try await sendAlone(sender) }
            }
        }
        while let first = waiting.first, mayGoOn {
            let isBatchless = batchless.contains(first.kind.entityType)
            let batch = Array(waiting.prefix(isBatchless ? 1 : max(1, size(of: first.kind))))
            waiting.removeFirst(batch.count)
            if batch.count > 1 {
                try await send(batch)
                continue
            }
            try await sendAlone(first)
            if exchange.results[first.mutation.key]?.outcome == .accepted { grow(first.kind) }
        }
    }

    private func grow(_ kind: RESTKind) {
        exchange.grow(Self.name(of: kind), usual: exchange.capabilities(kind).batchLimit)
    }

    private func send(_ batch: [RESTSender]) async throws {
        let (first, keys) = (batch[0], batch.map(\.mutation.key))
        let name = Self.name(of: first.kind)
        unsent.subtract(keys)
        let answer: Result<RESTRecords.BatchAnswer, APIError>
        do {
            answer = try await exchange.ask {
                try await exchange.records.createBatch(
                    first.kind.type, batch.compactMap(\.document), key: Self.key(of: keys))
            }
        } catch let error as APIError {
            // The feed was read just before, so the silence may be about what was sent.
            if error.isSilence { exchange.shrink(name, from: batch.count) }
            throw error
        }
        switch answer {
        case .success(let documents):
            grow(first.kind)
            for (sender, document) in zip(batch, documents) {
                if let document { try settle(sender.mutation, try await sender.settle(document)) }
            }
            // What was refused, or was not spoken of, goes by itself: that gives a status to judge by.
            for (sender, document) in zip(batch, documents) where document == nil && mayGoOn {
                var sender = sender
                sender.mayBeDone = true
                try await sendAlone(sender)
            }
        case .failure(let error):
            var taken: Set<[JSONValue]> = []
            let fit = batch.filter { sender in
                sender.kind.uniqueValues(of: sender.document ?? [:]).map { taken.insert($0).inserted } ?? true
            }
            waiting = fit + waiting
            if error.mayBeOfAddress {
                batchless.insert(first.kind.entityType)
            } else if fit.count == batch.count {
                exchange.shrink(name, from: batch.count)
            }
            if fit.count < batch.count {
                spoilers += batch.filter { sender in !fit.contains { $0.mutation.key == sender.mutation.key } }
            }
            // A failure may come after the commit. Then the feed tells it next time, or else a look at each of them.
            if error.isServerFailure, case .success(.some) = try await exchange.look(first.kind, first.mutation.entityId) {
                (isEnded, exchange.hasMore) = (true, true)
            }
        }
    }

    /// The key of a request that carries several mutations, or one over a certain base: the same for the same ones.
    static func key(of parts: [String]) -> String {
        let text = parts.joined(separator: ",").utf8
        let words = [14_695_981_039_346_656_037, 1_099_511_628_211].map { (start: UInt64) in
            text.reduce(start) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 &+ start }
        }
        let digits = words.map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }
        return digits.joined()
    }

    // MARK: What one mutation needs of the others

    /// The result of a mutation whose parent is made in the same request, and was not.
    func blockedInRequest(_ mutation: SyncMutation, _ kind: RESTKind) -> SyncResult? {
        for parent in kind.parents(of: mutation.document) {
            guard let key = creates[parent.key], key != mutation.key else { continue }
            switch exchange.results[key]?.outcome {
            case .accepted, .exists: continue
            default: return blocked(mutation, parent.field, parent.key)
            }
        }
        return nil
    }

    func blocked(_ mutation: SyncMutation, _ field: String, _ parent: RecordKey) -> SyncResult {
        let message = "names no \(parent.entityType.displayName) that the server has"
        return SyncResult(
            key: mutation.key, outcome: .blocked, errors: [FieldError(field: field, message: message, code: "unknown")])
    }

    /// Whether a record is about to make room: this request deletes or changes it, and has not got so far.
    func isLeaving(_ key: RecordKey) -> Bool {
        mutations.contains { $0.operation != .create && $0.record == key && exchange.results[$0.key] == nil }
    }

    /// The other records of a kind, or of the same parent; none of a kind that is listed in pages.
    func others(than document: RecordDocument, _ kind: RESTKind) async throws -> [RecordDocument] {
        var parent: String?
        switch exchange.capabilities(kind).listing {
        case .paged: return []
        case .whole: break
        case .perParent(let type):
            parent = kind.parents(of: document).first { $0.key.entityType == type }?.key.entityId
        }
        let name = RecordKey(entityType: kind.entityType, entityId: parent ?? "")
        if listed[name] == nil {
            listed[name] = try await RESTListing(exchange).all(kind, beneath: parent).documents
                .compactMap(kind.canonical)
        }
        // What was listed may have been changed by this exchange, and what it has made was not listed.
        let seen = exchange.observed.filter { $0.key.entityType == kind.entityType }
        let rest = (listed[name] ?? []).filter { seen[kind.key(of: $0)] == nil }
        return (rest + seen.values.compactMap(\.document)).filter { $0.id != document.id }
    }
}

extension SyncMutation {
    var record: RecordKey { RecordKey(entityType: entityType, entityId: entityId) }
    var document: RecordDocument { data?.objectValue ?? [:] }
}

extension APIError {
    /// Whether nothing was answered at all.
    var isSilence: Bool {
        if case .connection = self { true } else { self == .timeout }
    }
}
