import Foundation
import TrendyDomain

/// Sends batches of creates, a few at a time, and settles each with its answer.
///
/// A batch on which the server fails is sent once more as it was, because the failure may have come after
/// the commit. One that fails again, or is refused, goes in halves, until what it fails on stands alone. That search
/// goes on in the next cycle where it takes many requests. Whatever the server has failed on is looked for before it
/// goes under another key.
struct BatchSender<Entity: SyncEntity> {
    let push: PushPhase

    private typealias Answer = Result<BatchCreateResponse<Entity>, any Error>

    /// Sends all batches of a queue, the next ones being made ready while others are under way.
    func send(_ queue: BatchQueue<Entity>) async throws {
        var failed: [(batch: CreateBatch<Entity>, refusal: Refusal)] = []
        var unanswered: [CreateBatch<Entity>] = []
        let client = push.cycle.networkClient
        await withTaskGroup(of: (CreateBatch<Entity>, Answer).self) { group in
            func startNext() {
                while let batch = queue.next() {
                    if hasGoneOftenEnough(batch) {
                        unanswered.append(batch)
                        continue
                    }
                    return group.addTask { (batch, await Self.request(batch, client)) }
                }
            }
            for _ in 0..<push.cycle.configuration.concurrentBatches { startNext() }
            // What is under way is heard out also when the cycle has to stop.
            while let (batch, answer) = await group.next() {
                do {
                    if let refusal = try settle(batch, answer) {
                        if refusal.mayBeOfAddress, let lost = try await push.cycle.lostAPI() { throw lost.asStop }
                        failed.append((batch, refusal))
                    }
                } catch {
                    queue.stop(error)
                }
                startNext()
            }
        }
        if let error = queue.error { throw error }
        for batch in unanswered where try await !isTaken(batch) {
            try await split(batch, Self.unanswered, isDoubtful: true)
        }
        for (batch, refusal) in failed {
            if refusal.isSilence {
                try hold(batch, refusal)
            } else if refusal.isServerFailure {
                try await retry(batch)
            } else {
                if batch.wasSent, try await isTaken(batch) { continue }
                try await split(batch, refusal, isDoubtful: batch.wasSent)
            }
        }
    }

    /// Whether a batch went so often without an answer that less of it is to go. It is under way no more then: under new
    /// keys the server would not know what it has taken of it.
    private func hasGoneOftenEnough(_ batch: CreateBatch<Entity>) -> Bool {
        let mutations = batch.creates.map(\.mutation)
        guard batch.wasSent, push.silence(of: mutations) == .isRefusal else { return false }
        let now = push.cycle.wallClock.now().milliseconds
        return mutations.allSatisfy { now - ($0.lastAttemptAt?.milliseconds ?? 0) >= Self.longestWay }
    }

    private static var unanswered: Refusal {
        let problem = ProblemDetails(status: 408, detail: "no answer came")
        return Refusal(status: 408, problem: problem, error: .timeout)
    }

    /// After so many milliseconds without an answer no request arrives any more.
    private static var longestWay: Int64 { 60_000 }

    /// Leaves a batch for the next cycle.
    private func hold(_ batch: CreateBatch<Entity>, _ refusal: Refusal) throws {
        push.heldRecords.formUnion(batch.creates.map { RecordKey($0.mutation) })
        for create in batch.creates { push.cycle.failures[create.mutation.id] = refusal.message }
        try recordAttempts(batch, refusal.message)
    }

    private static func request(_ batch: CreateBatch<Entity>, _ client: any NetworkClientProtocol) async -> Answer {
        do {
            let requests = batch.creates.map { CreateRequest($0.entity) }
            return .success(try await client.createBatch(requests, idempotencyKey: batch.key))
        } catch {
            return .failure(error)
        }
    }

    /// Answers why the batch failed as a whole; nil where it did not.
    private func sendOne(_ batch: CreateBatch<Entity>) async throws -> Refusal? {
        try push.cycle.admit()
        push.searched()
        return try settle(batch, await Self.request(batch, push.cycle.networkClient))
    }

    // MARK: Answers

    /// Writes down what the answer settles. Answers why the batch failed as a whole; nil where it did not.
    private func settle(_ batch: CreateBatch<Entity>, _ answer: Answer) throws -> Refusal? {
        let refusal: Refusal
        do {
            let silence = push.silence(of: batch.creates.map(\.mutation))
            switch try push.cycle.settle(answer, silence: silence, isSuccess: { !$0.created.isEmpty }) {
            case .success(let response):
                push.serverAnswered()
                try settle(batch, response)
                return nil
            case .failure(let reason):
                refusal = reason
            }
        } catch let stop as CycleStop {
            if case .unreachable(let message) = stop { try recordAttempts(batch, message) }
            throw stop
        }
        // Any other failure may be about what is in the batch, and says nothing about the next one.
        if refusal.saysUnwell { try noteFailure(batch, refusal) }
        return refusal
    }

    private func noteFailure(_ batch: CreateBatch<Entity>, _ refusal: Refusal) throws {
        do {
            try push.serverFailed(refusal)
        } catch {
            try hold(batch, refusal)
            throw error
        }
    }

    private func settle(_ batch: CreateBatch<Entity>, _ response: BatchCreateResponse<Entity>) throws {
        var matched = BatchMatch(batch.creates, response)
        let check = AnswerCheck<Entity>(cycle: push.cycle)
        try push.cycle.read { store in
            try matched.doubt { try !check.mayStand($0.remote, for: $0.create.entity, in: store) }
        }
        try push.cycle.write { store in
            let settler = try push.cycle.settler(on: store)
            for (create, remote) in matched.accepted { try settler.accept(create.mutation, remote) }
            // What was refused, or not spoken of, goes on by itself: that gives a status to judge by.
            let left = (matched.refused + matched.unspoken).map(\.mutation.id)
            // A person may have cleared the queue meanwhile.
            let waiting = try left.filter { try store.findMutation(id: $0)?.state.isUnsent == true }
            if !waiting.isEmpty { try store.markSending(waiting, batchKey: nil) }
        }
        push.progressed(by: matched.accepted.count)
        push.retrySingly += matched.refused.map(\.mutation)
        // The server may have these under the key of the batch.
        push.perhapsTaken += matched.unspoken.map(\.mutation)
    }

    private func recordAttempts(_ batch: CreateBatch<Entity>, _ message: String) throws {
        try push.cycle.write { store in
            let settler = try push.cycle.settler(on: store)
            for create in batch.creates { try settler.recordAttempt(create.mutation, error: message) }
        }
    }

    // MARK: Failures

    private func retry(_ batch: CreateBatch<Entity>) async throws {
        guard let refusal = try await sendOne(batch), try await !isTaken(batch) else { return }
        try await split(batch, refusal, isDoubtful: true)
    }

    /// Whether the server has committed a batch on which it failed, or that it refuses now that some of it was given
    /// up: it refuses that for ever, and each of its creates is looked for. Where nobody can tell, the batch waits.
    ///
    /// It was committed where the server has its first record, or has had one of them that was deleted since.
    private func isTaken(_ batch: CreateBatch<Entity>) async throws -> Bool {
        let mutations = batch.creates.map(\.mutation)
        guard let id = batch.creates.first?.entity.id else { return false }
        push.searched()
        switch try await AnswerCheck<Entity>(cycle: push.cycle).get(id) {
        case .failure(let refusal):
            try recordAttempts(batch, refusal.message)
            throw refusal.asStop
        case .success(.some):
            push.perhapsTaken += mutations
            return true
        case .success(nil):
            switch try await push.deletions.fate(of: mutations) {
            case .unknown(let reason):
                try recordAttempts(batch, reason)
                push.heldRecords.formUnion(mutations.map { RecordKey($0) })
                return true
            case .taken(let taken):
                if try taken.isEmpty && !batch.creates.contains(where: mayHaveBeenThere) { return false }
                push.perhapsTaken += mutations
                return true
            }
        }
    }

    /// Whether a record that is missing may have been there: one that was deleted here since, and may have gone with its
    /// parent, or whose parent was deleted in what was passed over of the feed.
    private func mayHaveBeenThere(_ create: ReadyCreate<Entity>) throws -> Bool {
        if try push.deletions.lostParent(of: create.mutation, create.entity) != nil { return true }
        return try push.cycle.read { try push.cycle.settler(on: $0).deletion(after: create.mutation) != nil }
    }

    /// - Parameter isDoubtful: Whether the server may have taken a part of the batch, though not its first record.
    private func split(_ batch: CreateBatch<Entity>, _ refusal: Refusal, isDoubtful: Bool) async throws {
        guard batch.creates.count > 1 else { return try await sendAlone(batch) }
        if push.isSearchOver { return try hold(batch, refusal) }
        var halves = halves(of: batch)
        // Under its new key nobody would know what was taken under the old one.
        if isDoubtful, try await isTaken(halves[1]) {
            try mark(halves.removeLast(), key: nil)
        }
        for half in halves { try mark(half, key: half.key) }
        for half in halves {
            if half.creates.count == 1 {
                try await sendAlone(half)
            } else if push.isSearchOver {
                try hold(half, refusal)
            } else if let refusal = try await sendOne(half) {
                if refusal.isSilence {
                    try hold(half, refusal)
                    continue
                }
                if refusal.isServerFailure, try await isTaken(half) { continue }
                try await split(half, refusal, isDoubtful: refusal.isServerFailure)
            }
        }
    }

    /// Sends the only create of a batch by itself, at once: its answer tells whether the server is well.
    private func sendAlone(_ batch: CreateBatch<Entity>) async throws {
        push.retrySingly += batch.creates.map(\.mutation)
        push.searched()
        try await push.sendSingly(Entity.self)
    }

    /// The same creates in two batches under new keys.
    private func halves(of batch: CreateBatch<Entity>) -> [CreateBatch<Entity>] {
        let middle = batch.creates.count / 2
        return [batch.creates[..<middle], batch.creates[middle...]].map {
            CreateBatch(key: push.cycle.identifiers.makeId(), creates: Array($0))
        }
    }

    /// Notes the key that creates go under from here on, which is in the store before a request leaves; nil where each
    /// is looked for.
    private func mark(_ batch: CreateBatch<Entity>, key: String?) throws {
        try push.cycle.write { try $0.markSending(batch.creates.map(\.mutation.id), batchKey: key) }
    }
}

/// Finds out which part of an answer belongs to which create of a batch.
struct BatchMatch<Entity: SyncEntity> {
    private(set) var accepted: [(ReadyCreate<Entity>, Remote<Entity>)] = []
    private(set) var refused: [ReadyCreate<Entity>] = []
    /// Those of which the answer says nothing: taken or not, that has to be found out.
    private(set) var unspoken: [ReadyCreate<Entity>] = []

    init(_ creates: [ReadyCreate<Entity>], _ response: BatchCreateResponse<Entity>) {
        var byId: [String: Remote<Entity>] = [:]
        for remote in response.created { byId[remote.id] = remote }
        let errors = Set(response.errors.map(\.index))
        var nameless: [ReadyCreate<Entity>] = []
        for (index, create) in creates.enumerated() {
            if let remote = byId.removeValue(forKey: create.entity.id) {
                accepted.append((create, remote))
            } else if errors.contains(index) {
                refused.append(create)
            } else {
                nameless.append(create)
            }
        }
        // Records under other ids stand, in order, for creates that the server merged into what it had; but
        // only where the numbers leave no doubt.
        let strangers = response.created.filter { byId[$0.id] != nil }
        if strangers.count == nameless.count {
            accepted += zip(nameless, strangers)
        } else {
            unspoken = nameless
        }
    }

    /// Takes those answers for none that cannot be about what they would belong to.
    mutating func doubt(_ isWrong: (_ match: (create: ReadyCreate<Entity>, remote: Remote<Entity>)) throws -> Bool)
        rethrows
    {
        unspoken += try accepted.filter { try isWrong(($0.0, $0.1)) }.map(\.0)
        let doubted = Set(unspoken.map(\.mutation.id))
        accepted.removeAll { doubted.contains($0.0.mutation.id) }
    }
}
