public import Foundation

/// The answer to a write.
public struct WriteReply: Sendable, Hashable {
    /// What the write did.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A record, or every record of a batch, was made.
        case created
        /// The record was there already and has been replaced.
        case replaced
        /// Fields of the record were changed.
        case updated
        /// The record is gone.
        case deleted
        /// Some records of a batch were made, others not.
        case partlyCreated = "partly_created"
        /// No record of a batch was made.
        case noneCreated = "none_created"
    }

    /// What the request did.
    public var outcome: Outcome
    /// The JSON of the answer; nil for a deletion.
    public var document: Data?
    /// Whether the request was carried out earlier, and nothing was done now.
    public var isReplay: Bool
    /// The JSON of what failed of a batch.
    var errors: Data?

    /// Makes a reply of its parts.
    public init(_ outcome: Outcome, _ document: Data?, isReplay: Bool = false) {
        self.outcome = outcome
        self.document = document
        self.isReplay = isReplay
    }

    /// Whether anything was done, and the key is kept.
    var isSuccess: Bool { outcome != .noneCreated }
}

/// Who writes, and under which idempotency key.
public struct WriteContext: Sendable, Hashable {
    /// The user who asks.
    public var userId: String
    /// What makes resending this write harmless; nil for none.
    public var idempotencyKey: String?

    /// Makes the surroundings of a write.
    public init(userId: String, idempotencyKey: String? = nil) {
        self.userId = userId
        self.idempotencyKey = idempotencyKey
    }
}
