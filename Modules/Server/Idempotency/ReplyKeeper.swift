import Foundation
import TrendyDomain

/// Answers each request once and repeats that answer whenever the request comes again.
final class ReplyKeeper: Sendable {
    private let store: any ServerStore
    private let clock: any WallClock
    private let lifetime: Double
    private let pruning = PruningSchedule()

    init(store: any ServerStore, clock: any WallClock, lifetime: Double) {
        self.store = store
        self.clock = clock
        self.lifetime = lifetime
    }

    /// Runs the work and keeps its answer in the same transaction; a request that was answered before gets
    /// that answer, and nothing is done.
    ///
    /// - Throws: ``ServerProblem`` of kind `keyReused` where the key belongs to another request.
    func answer(
        _ request: KeyedRequest, _ work: (any ServerTransaction) throws -> WriteReply
    ) throws -> WriteReply {
        try request.check()
        let now = clock.now()
        let oldest = now.advanced(bySeconds: -lifetime)
        let prunes = pruning.isDue(at: now)
        return try store.write { transaction in
            guard let key = request.key else { return try work(transaction) }
            if prunes { try transaction.deleteReplies(before: oldest) }
            if let reply = try transaction.reply(key), reply.at >= oldest {
                guard request.matches(reply) else {
                    throw ServerProblem(
                        .keyReused, "this Idempotency-Key was used for another request; make a new one")
                }
                return WriteReply(reply.outcome, reply.document, isReplay: true)
            }
            let reply = try work(transaction)
            if reply.isSuccess {
                try transaction.save(
                    StoredReply(
                        entityId: request.entityId, fingerprint: request.fingerprint, outcome: reply.outcome,
                        document: reply.document, at: now), under: key)
            }
            return reply
        }
    }
}
