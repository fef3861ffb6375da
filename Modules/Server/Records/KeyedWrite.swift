import Crypto
import Foundation
import TrendyDomain

/// A write to the older routes as its idempotency key sees it.
struct KeyedWrite: Sendable {
    /// The longest key that is accepted, in characters.
    static let longestKey = 255

    let context: WriteContext
    /// The operation and kind: "create event". A key counts for its route alone.
    let route: String
    private let digest: Int64

    /// - Parameter entityId: The record or parent that the request's path names; empty where it names none.
    init(_ context: WriteContext, route: String, entityId: String, body: Data) {
        self.context = context
        self.route = route
        guard context.idempotencyKey != nil else {
            digest = 0
            return
        }
        var hash = SHA256()
        hash.update(data: Data("\(entityId)\n".utf8))
        hash.update(data: body)
        digest = hash.finalize().withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
    }

    /// What it is kept under; nil where it has no key, or none that is accepted. Keys of mutations have no spaces.
    private var keptKey: String? {
        guard let given = context.idempotencyKey, !given.isEmpty, given.utf8.count <= Self.longestKey,
            given.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return "\(route) \(given)"
    }

    /// Whether the write is to be carried out: it has no key, or one that is accepted and not known.
    func isNew(_ writer: AccountWriter, keptSince oldest: Timestamp) throws -> Bool {
        if context.idempotencyKey == nil { return true }
        guard let key = keptKey else { return false }
        guard let kept = try writer.transaction.outcomes([key])[key] else { return true }
        return kept.at < oldest
    }

    /// Carries out the write once: where its key is known, nothing is done, and the answer is made again.
    ///
    /// - Throws: ``ServerProblem`` of kind `keyReused` where the key belongs to another request.
    func answer(
        _ writer: AccountWriter, keptSince oldest: Timestamp?, again: (KeptOutcome) throws -> WriteReply,
        work: () throws -> WriteReply
    ) throws -> WriteReply {
        if context.idempotencyKey == nil { return try work() }
        guard let key = keptKey else {
            throw ServerProblem.field("Idempotency-Key", "must have 1 to \(Self.longestKey) characters of ASCII")
        }
        if let kept = try writer.transaction.outcomes([key])[key], oldest.map({ kept.at >= $0 }) ?? true {
            guard kept.digest == digest else {
                throw ServerProblem(.keyReused, "this Idempotency-Key was used for another request; make a new one")
            }
            var reply = try again(kept)
            reply.isReplay = true
            return reply
        }
        let reply = try work()
        if reply.isSuccess {
            writer.keep(
                KeptOutcome(
                    key: key, digest: digest, outcome: reply.outcome, revision: writer.history.head, at: writer.now,
                    errors: reply.errors))
        }
        return reply
    }
}
