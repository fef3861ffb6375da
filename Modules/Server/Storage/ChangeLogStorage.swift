public import Foundation
public import TrendyDomain

/// A change that is to be logged, in the transaction that makes it.
public struct NewChange: Sendable, Hashable {
    /// The user whose record it is.
    public var userId: String
    /// The record that changed.
    public var key: RecordKey
    /// What happened to it.
    public var operation: ChangeOperation
    /// The whole record after the change; nil for a deletion.
    public var document: Data?
    /// When it happened.
    public var at: Timestamp

    /// Makes a change of its parts, to be logged.
    public init(userId: String, key: RecordKey, operation: ChangeOperation, document: Data?, at: Timestamp) {
        self.userId = userId
        self.key = key
        self.operation = operation
        self.document = document
        self.at = at
    }
}

/// A change as it was logged.
public struct LoggedChange: Sendable, Hashable {
    /// The place in the feed: larger than that of every change that was committed before.
    public var id: Int64
    /// The record that changed.
    public var key: RecordKey
    /// What happened to it.
    public var operation: ChangeOperation
    /// The JSON of the record after the change; none after a deletion.
    public var document: Data?
    /// When it happened.
    public var at: Timestamp

    /// Makes a logged change of its parts.
    public init(id: Int64, key: RecordKey, operation: ChangeOperation, document: Data?, at: Timestamp) {
        self.id = id
        self.key = key
        self.operation = operation
        self.document = document
        self.at = at
    }
}

/// The log of all changes, in the order in which they were committed.
public protocol ChangeLogStorage {
    /// Adds a change at the end of the log. The ids ascend in the order of commits and are never reused:
    /// who has read up to some id finds everything that is committed later behind it.
    func append(_ change: NewChange) throws

    /// The user's changes behind a cursor, in ascending order.
    func changes(userId: String, since cursor: Int64, limit: Int) throws -> [LoggedChange]

    /// The id of the user's latest change; 0 where there is none.
    func latestCursor(userId: String) throws -> Int64
}
