import TrendyDomain

/// Sends the mutations of a request, and finds out what became of each.
///
/// Creates go in batches if the server takes them: few at first, and then as many as come in time. A batch that fails as
/// a whole goes again with half as many, down to a single create, so that one bad record keeps no other from going.
/// Mutations that had trouble before go last. What something on the way to the server refuses is treated like a failure
/// of the server, as long as the server answers questions.
final class RESTPush {
    let exchange: RESTExchange
    /// Whether the feed was read to its end. Then a record that it does not name has not changed.
    let isFeedRead: Bool
    /// Whether what was written before has been seen in the feed.
    let isFeedConfirmed: Bool
    private var queue: [RESTSender] = []
    /// Mutations that are not to be sent, and may have reached the server before.
    private var doubtful: [RESTSender] = []
    /// The keys of the mutations that go by themselves.
    private var lone: Set<String>
    private let creates: [RecordKey: String]
    private let firstRequest: Int
    /// The mutations on which the server has failed, by their keys. They are not sent again before the core has judged
    /// them.
    private(set) var failed: [String: APIError]
    /// How much the way to the server has refused in this cycle.
    private(set) var wayRefusals: RefusalBudget
    /// The time of the earliest id that the server has refused as ahead of its clock.
    private var earlyTime: Timestamp?
    /// The key of the create that the server was last seen not to have.
    private var missing: String?
    private var failuresInARow = 0
    /// How often the server has failed in this cycle on what it failed on before.
    private(set) var repeatedFailures: RepeatedFailures
    private var isEnded = false
    /// The records that may have the values of another.
    let rivals: RESTRivals

    /// How many requests send mutations in one exchange. Their results are saved then.
    private static let requestLimit = 200
    /// After how many failures in a row a request that changes nothing has to show that the server is well.
    private static let probeInterval = 5
    /// After how many failures in a row the server counts as unwell, although it answers requests that change nothing.
    private static let failureLimit = 60

    /// - Parameters:
    ///   - failed: The mutations on which the server has failed, and of which the core does not know it yet.
    ///   - wayRefusals: How much the way to the server has refused in this cycle.
    ///   - repeatedFailures: How often the server has failed in this cycle on what it failed on before.
    init(
        _ exchange: RESTExchange, failed: [String: APIError], wayRefusals: RefusalBudget,
        repeatedFailures: RepeatedFailures, isFeedRead: Bool
    ) throws {
        self.exchange = exchange
        rivals = RESTRivals(exchange)
        self.isFeedRead = isFeedRead
        self.failed = failed
        self.wayRefusals = wayRefusals
        self.repeatedFailures = repeatedFailures
        isFeedConfirmed = exchange.cursor.written == nil
        firstRequest = exchange.requests
        let mutations = exchange.request.mutations
        creates = Dictionary(mutations.filter { $0.operation == .create }.map { ($0.record, $0.key) }) { $1 }
        // Mutations that are settled are no trouble any more. A request that only receives names none.
        let present = Set((mutations + exchange.doubtful).map { shortHash($0.key) })
        if !mutations.isEmpty { exchange.cursor.troubled.removeAll { !present.contains($0) } }
        let troubled = Set(exchange.cursor.troubled)
        lone = Set(mutations.map(\.key).filter { troubled.contains(shortHash($0)) })
        doubtful = try senders(of: exchange.doubtful)
        var (first, last): ([RESTSender], [RESTSender]) = ([], [])
        for sender in try senders(of: mutations) {
            let mutation = sender.mutation
            // Children of a troubled create go last with it.
            if isBeneath(lone, sender) || lone.contains(mutation.key) {
                last.append(sender)
            } else {
                first.append(sender)
            }
        }
        queue = first + inOrderOfTroubles(last)
    }

    /// Puts those behind the others on which the server has failed lately, and what belongs to a create behind that.
    private func inOrderOfTroubles(_ senders: [RESTSender]) -> [RESTSender] {
        let troubled = Dictionary(exchange.cursor.troubled.enumerated().map { ($1, $0) }) { $1 }
        var places: [String: Int] = [:]
        for sender in senders {
            let parents = sender.kind.parents(of: sender.mutation.document).compactMap { creates[$0.key] }
            let own = troubled[shortHash(sender.mutation.key)] ?? .max
            places[sender.mutation.key] = parents.compactMap { places[$0] }.reduce(own, max)
        }
        return senders.enumerated()
            .sorted {
                (places[$0.element.mutation.key] ?? 0, $0.offset) < (places[$1.element.mutation.key] ?? 0, $1.offset)
            }
            .map(\.element)
    }

    private func senders(of mutations: [SyncMutation]) throws -> [RESTSender] {
        let known = try Dictionary(grouping: mutations, by: \.entityType).reduce(into: [:]) { known, group in
            known[group.key] = try exchange.known(group.key, group.value.map(\.entityId))
        }
        return mutations.compactMap { mutation in
            guard let kind = exchange.kind(mutation.entityType) else { return nil }
            let version = known[mutation.entityType]?[mutation.entityId]
            return RESTSender(
                push: self, kind: kind, mutation: mutation, known: version,
                mayBeDone: exchange.unanswered.contains(mutation.key) || lone.contains(mutation.key),
                document: mutation.operation == .create
                    ? kind.canonical(mutation.document) : version?.document.flatMap(kind.canonical))
        }
    }

    func run() async throws {
        if repeatedFailures.isSpent { leaveTroubles() }
        while let first = queue.first, mayGoOn {
            // What is left was not sent, so nothing counts against it. It waits for the next cycle.
            if wayRefusals.isSpent, let error = wayRefusals.last { throw error }
            let batch = try nextBatch(first.kind)
            if try hasGivenUp(batch.isEmpty ? [first] : batch) { continue }
            // A server takes a batch as a whole or not at all, so the first create tells of all that went with it. Others
            // make this batch fail.
            if batch.count > 1, let doubtful = batch.first(where: \.mayBeDone), doubtful.mutation.key != missing {
                guard
                    case .success(.none) = try await exchange.look(first.kind, doubtful.mutation.entityId, isNew: true)
                else {
                    lone.formUnion(batch.filter(\.mayBeDone).map(\.mutation.key))
                    continue
                }
                missing = doubtful.mutation.key
            }
            queue.removeFirst(max(1, batch.count))
            // A larger batch would have been possible.
            let isFull = try !batch.isEmpty && queue.first.map { try isBatchable($0, with: first.kind) } ?? false
            if batch.count > 1 {
                try await send(Array(batch), isFull: isFull)
            } else {
                let time = try await exchange.timing { try await sendAlone(first) }.time
                guard isFull, exchange.results[first.mutation.key]?.outcome == .accepted else { continue }
                noteBatch([first], isFull: true, in: time)
            }
        }
    }

    /// Settles what the feed has shown to have arrived, before any request can end the exchange: what the feed told is saved
    /// all the same, and nothing tells it again.
    func settleArrived() async throws {
        for sender in queue + doubtful {
            guard let result = sender.arrived() else { continue }
            queue.removeAll { $0.mutation.key == sender.mutation.key }
            try await settle(sender.mutation, .success(result))
        }
        queue.removeAll { failed[$0.mutation.key] != nil }
    }

    /// Takes those of the next mutations out of the queue that a person has given up since the exchange began.
    ///
    /// - Returns: Whether there were any.
    private func hasGivenUp(_ senders: ArraySlice<RESTSender>) throws -> Bool {
        guard let kind = senders.first?.kind.entityType else { return false }
        let awaited = try exchange.device.awaited(kind, senders.map(\.mutation.entityId))
        let givenUp = Set(senders.map(\.mutation.key)).subtracting(awaited)
        queue.removeAll { givenUp.contains($0.mutation.key) }
        return !givenUp.isEmpty
    }

    private var mayGoOn: Bool {
        if exchange.requests - firstRequest >= Self.requestLimit, !exchange.results.isEmpty {
            (isEnded, exchange.hasMore) = (true, true)
        }
        return !isEnded
    }

    // MARK: One by one

    private func sendAlone(_ sender: RESTSender) async throws {
        let mutation = sender.mutation
        let result: Result<SyncResult, APIError>
        do { result = try await sender.send() } catch let error as APIError {
            if error.isSilence { noteTrouble(mutation) }
            throw error
        }
        try await settle(mutation, result)
    }

    private func settle(_ mutation: SyncMutation, _ result: Result<SyncResult, APIError>) async throws {
        switch result {
        case .success(let result):
            exchange.results[mutation.key] = result
            failed[mutation.key] = nil
            if result.outcome == .accepted { repeatedFailures.noteSuccess() }
            exchange.cursor.troubled.removeAll { $0 == shortHash(mutation.key) }
            failuresInARow = 0
            return
        case .failure(let error): failed[mutation.key] = error
        }
        // A failure on a known trouble says nothing of the server.
        guard noteTrouble(mutation) else {
            repeatedFailures.note()
            if repeatedFailures.isSpent { leaveTroubles() }
            return
        }
        failuresInARow += 1
        if failuresInARow >= Self.failureLimit { throw APIError.connection("it fails on one change after the other") }
        if failuresInARow.isMultiple(of: Self.probeInterval) { try await exchange.probe() }
    }

    /// Notes that a mutation was refused on the way. It goes last from now on, so that it holds up no other, even if
    /// the look that follows ends the exchange.
    func noteTrouble(_ mutation: SyncMutation, onWay error: APIError) {
        noteTrouble(mutation)
        wayRefusals.note(error)
    }

    /// Leaves what is troubled for the next cycle, with what belongs to a record that is not made before.
    private func leaveTroubles() {
        let troubled = Set(exchange.cursor.troubled)
        var left = Set(exchange.request.mutations.map(\.key).filter { troubled.contains(shortHash($0)) })
        queue = queue.filter { sender in
            guard left.contains(sender.mutation.key) || isBeneath(left, sender) else { return true }
            left.insert(sender.mutation.key)
            return false
        }
    }

    /// Whether a mutation refers to a record that one of these creates is to make.
    private func isBeneath(_ keys: Set<String>, _ sender: RESTSender) -> Bool {
        sender.kind.parents(of: sender.mutation.document).contains { creates[$0.key].map(keys.contains) ?? false }
    }

    /// Notes that the server fails on a mutation, and puts that behind the others on which it fails.
    ///
    /// - Returns: Whether the server has not failed on the mutation before.
    @discardableResult
    private func noteTrouble(_ mutation: SyncMutation) -> Bool {
        let hash = shortHash(mutation.key)
        let known = exchange.cursor.troubled.firstIndex(of: hash)
        if let known { exchange.cursor.troubled.remove(at: known) }
        exchange.cursor.troubled.append(hash)
        return known == nil
    }

    // MARK: Batches

    private func isBatchable(_ sender: RESTSender, with kind: RESTKind) throws -> Bool {
        let mutation = sender.mutation
        return try sender.kind.entityType == kind.entityType && sender.isCreate && mutation.base == 0
            && sender.known == nil && !lone.contains(mutation.key) && exchange.observed[mutation.record] == nil
            && sender.document?["id"] == .string(mutation.entityId) && blockedInRequest(sender) == nil
            && !sender.isEarly && blockedByDeletion(sender) == nil
    }

    /// How many bytes the first batch has.
    private static let firstBatch = 16 << 10

    private func windowName(_ kind: RESTKind) -> String { "batch:\(kind.entityType)" }

    /// The creates at the beginning of the queue that go with one request; none if the first one cannot go so.
    private func nextBatch(_ kind: RESTKind) throws -> ArraySlice<RESTSender> {
        let room = exchange.cursor.window(windowName(kind), start: Self.firstBatch).size
        var bytes = 0
        return try queue.prefix(exchange.capabilities(kind).batchLimit).prefix { sender in
            guard try isBatchable(sender, with: kind) else { return false }
            bytes += sender.mutation.size
            return bytes <= room || bytes == sender.mutation.size
        }
    }

    private func noteBatch(_ batch: [RESTSender], isFull: Bool, in time: Duration) {
        exchange.note(
            windowName(batch[0].kind), batch.map(\.mutation.size).reduce(0, +), isFull: isFull, in: time,
            start: Self.firstBatch, atMost: Outbox.byteLimit)
    }

    /// - Parameter hasRoute: False if the server may have no route for batches. Then creates go one by one for a while.
    private func noteRefusal(of batch: [RESTSender], hasRoute: Bool = true) {
        let size = batch.map(\.mutation.size).reduce(0, +)
        exchange.noteRefusal(windowName(batch[0].kind), of: hasRoute ? size : 1, start: Self.firstBatch)
    }

    private func send(_ batch: [RESTSender], isFull: Bool) async throws {
        let (kind, keys) = (batch[0].kind, batch.map(\.mutation.key))
        let (answer, time) = try await exchange.timing {
            try await exchange.carry(keys) {
                try await exchange.records.createBatch(
                    kind.type, batch.compactMap(\.document), key: "\(keys[0])-\(shortHash(keys.joined()))")
            }
        }
        switch answer {
        case .success(let documents):
            noteBatch(batch, isFull: isFull, in: time)
            for (var sender, document) in zip(batch, documents) {
                if let document {
                    try await settle(sender.mutation, try await sender.settle(document))
                } else {
                    // Creates that were refused or left out go alone, which gives a status to judge by.
                    sender.mayBeDone = true
                    lone.insert(sender.mutation.key)
                    queue.insert(sender, at: 0)
                }
            }
        case .failure(let error):
            var batch = batch
            // What is on the way knows nothing of unique fields.
            let spoiling = error.mayBeOfWay ? [] : spoilers(of: batch, kind)
            lone.formUnion(spoiling)
            let hasRoute = ![404, 405, 410].contains(error.status ?? 0)
            // The feed was read just before, so this may be about the batch, even if the look ends the exchange.
            if !hasRoute || spoiling.isEmpty { noteRefusal(of: batch, hasRoute: hasRoute) }
            if error.mayBeOfWay { wayRefusals.note(error) }
            if error.isServerFailure {
                // The server may have failed after its commit. If it has the first record, the next exchange reads the
                // feed before it sends the others again.
                switch try await exchange.look(kind, batch[0].mutation.entityId, after: error, isNew: true) {
                case .success(.some): (isEnded, exchange.hasMore) = (true, true)
                case .success(.none): missing = keys[0]
                case .failure: for index in batch.indices { batch[index].mayBeDone = true }
                }
            }
            let fit = batch.filter { !spoiling.contains($0.mutation.key) }
            queue = fit + queue + batch.filter { spoiling.contains($0.mutation.key) }
        }
    }

    /// The keys of creates that share unique fields with others. They would spoil every batch, so they go alone and
    /// last.
    private func spoilers(of batch: [RESTSender], _ kind: RESTKind) -> Set<String> {
        var taken: Set<[JSONValue]> = []
        let spoiling = batch.filter { sender in
            kind.uniqueValues(of: sender.document).map { !taken.insert($0).inserted } ?? false
        }
        return Set(spoiling.map(\.mutation.key))
    }

    // MARK: The server's clock

    func noteEarly(_ id: String) {
        guard let time = UUIDv7(id)?.timestamp else { return }
        earlyTime = min(earlyTime ?? time, time)
    }

    func isEarly(_ id: String) -> Bool {
        guard let earlyTime, let time = UUIDv7(id)?.timestamp else { return false }
        return time >= earlyTime
    }

    // MARK: What one mutation needs of the others

    /// The result of a mutation whose parent's create is in the same request and was not accepted.
    func blockedInRequest(_ sender: RESTSender) -> SyncResult? {
        let missing = sender.kind.parents(of: sender.mutation.document).first { parent in
            guard let key = creates[parent.key], key != sender.mutation.key else { return false }
            let outcome = exchange.results[key]?.outcome
            return outcome != .accepted && outcome != .exists
        }
        return missing.map { blocked(sender.mutation, $0.field, $0.key) }
    }

    /// The result of a mutation that refers to a record which is known as deleted, where a deletion clears the reference. Not
    /// every deployed server refuses it.
    func blockedByDeletion(_ sender: RESTSender) throws -> SyncResult? {
        if !isFeedRead { return nil }
        let gone = try sender.kind.parents(of: sender.mutation.document).first { parent in
            try parent.onDelete == .clear && exchange.isKnownAsDeleted(parent.key)
        }
        return gone.map { blocked(sender.mutation, $0.field, $0.key) }
    }

    func blocked(_ mutation: SyncMutation, _ field: String, _ parent: RecordKey) -> SyncResult {
        let message = "names no \(parent.entityType.displayName) that the server has"
        return SyncResult(
            key: mutation.key, outcome: .blocked, errors: [FieldError(field: field, message: message, code: "unknown")])
    }

    /// Whether this request is still to delete or change a record, which may free its name.
    func isLeaving(_ key: RecordKey) -> Bool {
        exchange.request.mutations.contains {
            $0.operation != .create && $0.record == key && exchange.results[$0.key] == nil
        }
    }
}

extension SyncMutation {
    var record: RecordKey { RecordKey(entityType, entityId) }
    var document: RecordDocument { data?.objectValue ?? [:] }
    /// About how many bytes it has in a request.
    var size: Int { Self.envelope + (kept?.byteCount ?? 0) }
}
