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
    /// For an update, what the changed fields held before, as a JSON object: the base of a three-way merge.
    public var base: Data?
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
    /// The idempotency key of the batch that it was last sent in; resending keeps the batch together.
    public var batchKey: String?
    /// When it was accepted, merged, parked or dropped.
    public var settledAt: Timestamp?
    /// What the server answered, for one that was accepted: the record's id and time of change.
    public var answer: ServerAnswer?

    /// Makes a mutation that waits, unless said otherwise.
    public init(
        id: Int64 = 0, clientRequestId: String, entityType: MutationEntityType, operation: MutationOperation,
        entityId: String, payload: Data? = nil, base: Data? = nil, createdAt: Timestamp, attempts: Int = 0,
        lastError: String? = nil, lastAttemptAt: Timestamp? = nil, state: MutationState = .queued,
        batchKey: String? = nil, settledAt: Timestamp? = nil, answer: ServerAnswer? = nil
    ) {
        self.id = id
        self.clientRequestId = clientRequestId
        self.entityType = entityType
        self.operation = operation
        self.entityId = entityId
        self.payload = payload
        self.base = base
        self.createdAt = createdAt
        self.attempts = attempts
        self.lastError = lastError
        self.lastAttemptAt = lastAttemptAt
        self.state = state
        self.batchKey = batchKey
        self.settledAt = settledAt
        self.answer = answer
    }
}

/// The part of a server's answer that the ledger keeps.
public struct ServerAnswer: Codable, Sendable, Hashable {
    /// The id of the record that the server has; another than was sent where the server merged two.
    public var entityId: String
    /// The server's time of the change.
    public var updatedAt: Timestamp?
    /// True until the feed has shown the change: until then older changes of the record may still come by.
    public var awaitsEcho: Bool

    /// Makes an answer of its parts.
    public init(entityId: String, updatedAt: Timestamp? = nil, awaitsEcho: Bool = false) {
        self.entityId = entityId
        self.updatedAt = updatedAt
        self.awaitsEcho = awaitsEcho
    }

    private enum CodingKeys: String, CodingKey {
        case entityId = "entity_id"
        case updatedAt = "updated_at"
        case awaitsEcho = "awaits_echo"
    }
}
