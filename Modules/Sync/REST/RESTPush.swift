import TrendyDomain

/// Sends the mutations of a request, and finds out what became of each.
///
/// Creates go in batches where the server takes them. A batch that fails as a whole is halved until what it fails on
/// stands alone, within a budget, so that one bad record never keeps anything else from going.
final class RESTPush {
    let exchange: RESTExchange
    /// The keys of the mutations that may have reached the server before.
    let unanswered: Set<String>
    /// Whether the feed was read to its end: what it does not name has not changed.
    let isFeedRead: Bool
    let finder: TwinFinder
    /// The keys of mutations that were not sent, now or before.
    private(set) var unsent: Set<String> = []

    private let troubled: Set<UInt32>
    private let creates: [RecordKey: String]
    private var waiting: [Create] = []
    private var failuresInARow = 0
    private var searches = 0
    private let firstRequest: Int

    struct Create {
        let mutation: SyncMutation
        let kind: RESTKind
        let document: RecordDocument
    }

    /// So many requests of an exchange look for what is wrong with a batch.
    private static let searchLimit = 60
    /// So many requests send mutations in one exchange: what they have done is saved then.
    private static let requestLimit = 200
    /// After so many failures on single mutations in a row the server counts as unwell.
    private static let failureLimit = 5
    /// So many mutations are remembered as troubled.
    private static let troubleLimit = 100

    init(_ exchange: RESTExchange, unanswered: Set<String>, isFeedRead: Bool) {
        self.exchange = exchange
        self.unanswered = unanswered
        self.isFeedRead = isFeedRead
        finder = TwinFinder(exchange)
        troubled = Set(exchange.cursor.troubled)
        let mutations = exchange.request.mutations
        creates = Dictionary(
            mutations.filter { $0.operation == .create }.map { ($0.record, $0.key) }, uniquingKeysWith: { $1 })
        firstRequest = exchange.requests
        // What is not sent any more is no trouble any more.
        let present = Set(mutations.map { shortHash($0.key) })
        exchange.cursor.troubled.removeAll { !present.contains($0) }
    }

    func run() async throws {
        let mutations = ordered()
        unsent = Set(mutations.map(\.key)).subtracting(unanswered)
        for mutation in mutations {
            guard mayGoOn else { return }
            guard let create = batchable(mutation) else {
                // A create of a parent's kind may overtake the creates of children that wait for their batch.
                if let first = waiting.first, mutation.operation != .create || rank(mutation) >= rank(first.mutation) {
                    try await sendWaiting()
                    guard mayGoOn else { return }
                }
                try await sendAlone(mutation)
                continue
            }
            if let first = waiting.first, first.kind.entityType != create.kind.entityType { try await sendWaiting() }
            waiting.append(create)
            if waiting.count >= batchSize(create.kind).limit { try await sendWaiting() }
        }
        if mayGoOn { try await sendWaiting() }
    }

    /// What had trouble before goes last, with what belongs to it, so that it holds nothing up.
    private func ordered() -> [SyncMutation] {
        if troubled.isEmpty { return exchange.request.mutations }
        var late: Set<RecordKey> = []
        var (first, last): ([SyncMutation], [SyncMutation]) = ([], [])
        for mutation in exchange.request.mutations {
            let parents = RESTKind(mutation.entityType, in: exchange.schema)?.parents(of: mutation.document) ?? []
            if isTroubled(mutation) || parents.contains(where: { late.contains($0.key) }) {
                late.insert(mutation.record)
                last.append(mutation)
            } else {
                first.append(mutation)
            }
        }
        return first + last
    }

    private func isTroubled(_ mutation: SyncMutation) -> Bool { troubled.contains(shortHash(mutation.key)) }

    private func rank(_ mutation: SyncMutation) -> Int { exchange.schema.rank(of: mutation.entityType) }

    private var mayGoOn: Bool {
        if exchange.requests - firstRequest >= Self.requestLimit {
            exchange.hasMore = true
            return false
        }
        return failuresInARow < Self.failureLimit
    }

    // MARK: One by one

    /// - Parameter looksFirst: Whether the server may have it already.
    func sendAlone(_ mutation: SyncMutation, looksFirst: Bool = false) async throws {
        unsent.remove(mutation.key)
        guard let kind = RESTKind(mutation.entityType, in: exchange.schema) else {
            exchange.results[mutation.key] = SyncResult(
                key: mutation.key, outcome: .rejected,
                message: "this server has no records of the kind \(mutation.entityType.displayName)")
            return
        }
        let doubt = looksFirst || unanswered.contains(mutation.key) || isTroubled(mutation)
        let sender = RESTSender(push: self, kind: kind, mutation: mutation, looksFirst: doubt)
        do {
            if let result = try await sender.send() {
                exchange.results[mutation.key] = result
                failuresInARow = 0
                exchange.cursor.troubled.removeAll { $0 == shortHash(mutation.key) }
            } else {
                failuresInARow += 1
                noteTrouble(mutation)
            }
        } catch let error as APIError {
            if error.isSilence { noteTrouble(mutation) }
            throw error
        }
    }

    private func noteTrouble(_ mutation: SyncMutation) {
        let hash = shortHash(mutation.key)
        guard !exchange.cursor.troubled.contains(hash) else { return }
        exchange.cursor.troubled = (exchange.cursor.troubled + [hash]).suffix(Self.troubleLimit)
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
        exchange.request.mutations.contains {
            $0.operation != .create && $0.record == key && exchange.results[$0.key] == nil
        }
    }

    // MARK: Batches

    private func batchSize(_ kind: RESTKind) -> RESTSize {
        let most = exchange.records.client.capabilities(of: kind.entityType).batchLimit
        return RESTSize("batch:\(kind.entityType)", usual: max(1, most), smallest: 1, exchange.cursor)
    }

    /// The create, where it can go with others.
    private func batchable(_ mutation: SyncMutation) -> Create? {
        guard mutation.operation == .create, mutation.base == 0, !isTroubled(mutation),
            exchange.observed[mutation.record] == nil,
            let kind = RESTKind(mutation.entityType, in: exchange.schema), batchSize(kind).limit > 1,
            let document = kind.canonical(mutation.document), document["id"] == .string(mutation.entityId),
            blockedInRequest(mutation, kind) == nil
        else { return nil }
        return Create(mutation: mutation, kind: kind, document: document)
    }

    private func sendWaiting() async throws {
        let batch = waiting
        waiting = []
        guard batch.count > 1 else {
            if let only = batch.first { try await sendAlone(only.mutation) }
            return
        }
        let doubtful = batch.filter { unanswered.contains($0.mutation.key) }
        // A batch is taken whole or not at all: the first one tells of all.
        if let first = doubtful.first, try await mayBeThere(first) {
            for create in doubtful where mayGoOn { try await sendAlone(create.mutation, looksFirst: true) }
            let others = batch.filter { !unanswered.contains($0.mutation.key) }
            if mayGoOn, !others.isEmpty { try await send(others, isFirst: true) }
            return
        }
        try await send(batch, isFirst: true)
    }

    private func mayBeThere(_ create: Create) async throws -> Bool {
        searches += 1
        guard case .success(.none) = try await exchange.look(create.kind, create.mutation.entityId) else { return true }
        try await exchange.confirmAPI()
        return false
    }

    /// - Parameter isFirst: Whether these have not been part of a larger batch before.
    private func send(_ batch: [Create], isFirst: Bool) async throws {
        guard let first = batch.first else { return }
        if batch.count == 1 { return try await sendAlone(first.mutation, looksFirst: !isFirst) }
        if !isFirst { searches += 1 }
        unsent.subtract(batch.map(\.mutation.key))
        var size = batchSize(first.kind)
        do {
            let key = Self.key(of: batch.map(\.mutation.key))
            let answer = try await exchange.ask {
                try await exchange.records.createBatch(first.kind.type, batch.map(\.document), key: key)
            }
            switch answer {
            case .success(let documents):
                size.arrived(&exchange.cursor)
                try await settle(batch, documents)
            case .failure(let error):
                _ = size.shrink(after: error.isTooLarge ? error : .malformedResponse(""), &exchange.cursor)
                try await split(batch, error, isFirst: isFirst)
            }
        } catch let error as APIError {
            // The feed was read just before, so the silence may be about what was sent.
            if error.isSilence { _ = size.shrink(after: .timeout, &exchange.cursor) }
            throw error
        }
    }

    private func settle(_ batch: [Create], _ documents: RESTRecords.BatchAnswer) async throws {
        var alone: [Create] = []
        for (create, document) in zip(batch, documents) {
            guard let document, let made = create.kind.canonical(document) else {
                alone.append(create)
                continue
            }
            let sender = RESTSender(push: self, kind: create.kind, mutation: create.mutation, looksFirst: false)
            if let result = try await sender.finish(create.document, made) {
                exchange.results[create.mutation.key] = result
                failuresInARow = 0
            }
        }
        // What was refused, or was not spoken of, goes by itself: that gives a status to judge by.
        for create in alone where mayGoOn { try await sendAlone(create.mutation, looksFirst: true) }
    }

    private func split(_ batch: [Create], _ error: APIError, isFirst: Bool) async throws {
        guard let first = batch.first, searches < Self.searchLimit else {
            exchange.hasMore = true
            return
        }
        // A failure may come after the commit; then halves would fail as well, down to the last.
        let isTaken = isFirst && error.isServerFailure && batch.count > 2 ? try await mayBeThere(first) : false
        if isTaken || error.mayBeOfAddress {
            for create in batch where mayGoOn { try await sendAlone(create.mutation, looksFirst: true) }
            return
        }
        let middle = batch.count / 2
        for half in [batch[..<middle], batch[middle...]] where mayGoOn { try await send(Array(half), isFirst: false) }
    }

    /// The key of a request that carries several mutations, or a part of one: the same for the same set.
    static func key(of keys: [String]) -> String {
        var words: [UInt64] = [14_695_981_039_346_656_037, 1_099_511_628_211]
        for byte in keys.joined(separator: ",").utf8 {
            words[0] = (words[0] ^ UInt64(byte)) &* 1_099_511_628_211
            words[1] = (words[1] &+ UInt64(byte)) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        }
        let digits = words.map { word in
            let hex = String(word, radix: 16)
            return String(repeating: "0", count: 16 - hex.count) + hex
        }.joined()
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { String(digits.dropFirst($0).prefix($1 - $0)) }.joined(separator: "-")
    }
}

extension SyncMutation {
    var record: RecordKey { RecordKey(entityType: entityType, entityId: entityId) }
    var document: RecordDocument { data?.objectValue ?? [:] }
}

extension APIError {
    /// Whether nothing was answered at all.
    var isSilence: Bool {
        switch self {
        case .connection, .timeout: true
        default: false
        }
    }
}
