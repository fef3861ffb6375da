import Crypto
import Foundation
import TrendyDomain

/// A write as its idempotency key sees it.
struct KeyedRequest {
    /// The longest key that is accepted, in characters.
    static let longestKey = 255

    let userId: String
    let key: ReplyKey?
    let entityId: String
    let fingerprint: Data

    init(_ context: WriteContext, route: String, entityId: String, body: Data) {
        userId = context.userId
        key = context.idempotencyKey.map { ReplyKey(userId: context.userId, route: route, key: $0) }
        self.entityId = entityId
        fingerprint = key == nil ? Data() : Data(SHA256.hash(data: body))
    }

    /// - Throws: ``ServerProblem`` where the key cannot be one.
    func check() throws {
        guard let key else { return }
        guard !key.key.isEmpty, key.key.count <= Self.longestKey else {
            throw ServerProblem.field("Idempotency-Key", "must have 1 to \(Self.longestKey) characters")
        }
    }

    /// Whether a kept answer is the answer to this request.
    func matches(_ reply: StoredReply) -> Bool {
        reply.entityId == entityId && reply.fingerprint == fingerprint
    }
}
