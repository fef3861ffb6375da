public import Foundation

/// What a mutation does to its record.
public enum MutationOperation: String, Codable, Sendable, Hashable, CaseIterable {
    /// What the server is to do with the record.
    case create, update, delete
}

/// A local change on its way to the server, and afterwards the record of what became of it.
public struct PendingMutation: Codable, Sendable, Hashable, Identifiable {
    /// The place in the queue, given by the store; 0 before the mutation is stored.
    public var id: Int64
    /// The idempotency key: the same for every attempt, so that the change takes effect once. What goes on after a person
    /// has decided about it gets another.
    public var clientRequestId: String
    /// The kind of the record.
    public var entityType: MutationEntityType
    /// What the server is to do with the record.
    public var operation: MutationOperation
    /// The record's id.
    public var entityId: String
    /// The body to send: the record for a create, the ``Patch`` for an update. A delete sends none; what is here tells
    /// which references it cleared, to put them back where it is dropped.
    public var payload: Data?
    /// When the change was made, by this device's clock.
    public var createdAt: Timestamp
    /// How many times it was sent without an answer that settled it.
    public var attempts: Int
    /// What the last attempt failed with.
    public var lastError: String?
    /// When it was last sent, by this device's clock.
    public var lastAttemptAt: Timestamp?
    /// Where it stands.
    public var state: MutationState
    /// When it was accepted, merged, parked or dropped.
    public var settledAt: Timestamp?

    /// Makes a mutation that waits, unless said otherwise.
    public init(
        id: Int64 = 0, clientRequestId: String, entityType: MutationEntityType, operation: MutationOperation,
        entityId: String, payload: Data? = nil, createdAt: Timestamp, attempts: Int = 0,
        lastError: String? = nil, lastAttemptAt: Timestamp? = nil, state: MutationState = .queued,
        settledAt: Timestamp? = nil
    ) {
        self.id = id
        self.clientRequestId = clientRequestId
        self.entityType = entityType
        self.operation = operation
        self.entityId = entityId
        self.payload = payload
        self.createdAt = createdAt
        self.attempts = attempts
        self.lastError = lastError
        self.lastAttemptAt = lastAttemptAt
        self.state = state
        self.settledAt = settledAt
    }
}
