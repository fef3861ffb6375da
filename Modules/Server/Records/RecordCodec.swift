import Foundation
import TrendyDomain

/// A parent that a record is made beneath: its id stands in the path, and need not stand in the body.
public struct ParentScope: Sendable, Hashable {
    /// The field that holds the parent's id.
    public var field: String
    /// The record that the others belong to.
    public var parent: RecordKey

    /// Makes a scope of a field and the record that it names.
    public init(field: String, parent: RecordKey) {
        self.field = field
        self.parent = parent
    }

    var reference: RecordIndex.Reference { RecordIndex.Reference(field: field, parent: parent) }
}

/// Reads and writes records of one kind, for code that works on any kind.
///
/// What is wrong with a client's body is thrown as ``ServerProblem``.
protocol RecordCodec: Sendable {
    /// The record in the body of a create request.
    func prepare(_ body: Data, beneath scope: ParentScope?) throws -> PreparedRecord

    /// Each record of a batch, or why it is none.
    func prepareBatch(_ body: Data, member: String, limit: Int) throws -> [Result<PreparedRecord, ServerProblem>]

    /// The changes that the body of an update request asks for.
    func preparePatch(_ body: Data, id: String) throws -> PreparedPatch

    /// The changes in the data of an update that came with a sync request.
    func patch(_ body: Data, id: String) throws -> [String: JSONValue]

    /// A stored record with these changes made; those of a map key by key.
    func merged(_ document: Data, id: String, with patch: [String: JSONValue]) throws -> PreparedRecord

    /// A stored record with some fields emptied.
    func clearing(_ fields: [String], in document: Data) throws -> PreparedRecord

    /// What a stored record was indexed by.
    func index(of document: Data) throws -> RecordIndex
}
