public import Foundation

/// What a mutation does to its record.
public enum MutationOperation: String, Codable, Sendable, Hashable, CaseIterable {
    /// What the server is to do with the record.
    case create, update, delete
}

/// A local change in the outbox, and afterwards the ledger's record of what became of it.
public struct PendingMutation: Codable, Sendable, Hashable, Identifiable {
    /// The place in the queue, given by the store; 0 before the mutation is stored.
    public var id: Int64
    /// The idempotency key: the same for every attempt, so that the change takes effect once. A mutation gets another
    /// key when it goes on after a person's decision, and when it says something else: a key belongs to one payload.
    public var clientRequestId: String
    /// The kind of the record.
    public var entityType: MutationEntityType
    /// What the server is to do with the record.
    public var operation: MutationOperation
    /// The record's id.
    public var entityId: String
    /// The data to send: the record for a create, the ``Patch`` for an update, nothing for a delete.
    public var payload: Data?
    /// When the change was made, by this device's clock.
    public var createdAt: Timestamp
    /// In how many cycles the server failed on it or refused it.
    public var attempts: Int
    /// The error of the last failure; a refusal is in the reason of ``state``.
    public var lastError: String?
    /// When the last attempt failed or was refused, by this device's clock.
    public var lastAttemptAt: Timestamp?
    /// Where it stands.
    public var state: MutationState
    /// When it was accepted, merged, parked or dropped.
    public var settledAt: Timestamp?
    /// Whether it creates a record that others may create too: an import, or a record that the server had before.
    public var isAdopted: Bool

    /// Makes a mutation that waits, unless said otherwise.
    public init(
        id: Int64 = 0, clientRequestId: String, entityType: MutationEntityType, operation: MutationOperation,
        entityId: String, payload: Data? = nil, createdAt: Timestamp, attempts: Int = 0,
        lastError: String? = nil, lastAttemptAt: Timestamp? = nil, state: MutationState = .queued,
        settledAt: Timestamp? = nil, isAdopted: Bool = false
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
        self.isAdopted = isAdopted
    }
}
