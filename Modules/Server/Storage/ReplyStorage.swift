public import Foundation
public import TrendyDomain

/// What names a request that may be sent more than once.
public struct ReplyKey: Sendable, Hashable {
    /// The user who asked.
    public var userId: String
    /// The operation and kind: "create event".
    public var route: String
    /// The client's `Idempotency-Key`.
    public var key: String

    /// Makes a name of its parts.
    public init(userId: String, route: String, key: String) {
        self.userId = userId
        self.route = route
        self.key = key
    }
}

/// The first answer to a request, kept so that it can be given again.
public struct StoredReply: Sendable, Hashable {
    /// The record or parent that the request's path names; empty where it names none.
    public var entityId: String
    /// The SHA-256 of the request's body.
    public var fingerprint: Data
    /// What the request did.
    public var outcome: WriteReply.Outcome
    /// The JSON that was answered; none where the answer had no body.
    public var document: Data?
    /// When it was answered.
    public var at: Timestamp

    /// Makes a reply of its parts, to be kept.
    public init(entityId: String, fingerprint: Data, outcome: WriteReply.Outcome, document: Data?, at: Timestamp) {
        self.entityId = entityId
        self.fingerprint = fingerprint
        self.outcome = outcome
        self.document = document
        self.at = at
    }
}

/// The answers that may have to be given again.
public protocol ReplyStorage {
    /// The answer that was kept under that key.
    func reply(_ key: ReplyKey) throws -> StoredReply?

    /// Keeps an answer, in the transaction of the write that it answers; it takes the place of an older one.
    func save(_ reply: StoredReply, under key: ReplyKey) throws

    /// Forgets the answers that were kept before that moment.
    func deleteReplies(before moment: Timestamp) throws
}
