import Foundation

/// How many records there are, and how large they are together; also by how much that has changed.
public struct RecordUsage: Sendable, Hashable {
    /// How many records, without tombstones.
    public var records: Int64
    /// How many bytes their documents have, as the store keeps them.
    public var bytes: Int64

    /// Makes it of its parts; without them it is nothing.
    public init(records: Int64 = 0, bytes: Int64 = 0) {
        self.records = records
        self.bytes = bytes
    }

    /// What one record takes; nothing where it has no document.
    init(_ document: Data?) {
        self.init(records: document == nil ? 0 : 1, bytes: Int64(document?.count ?? 0))
    }

    static func - (left: RecordUsage, right: RecordUsage) -> RecordUsage {
        RecordUsage(records: left.records - right.records, bytes: left.bytes - right.bytes)
    }

    static func += (left: inout RecordUsage, right: RecordUsage) {
        left.records += right.records
        left.bytes += right.bytes
    }
}
