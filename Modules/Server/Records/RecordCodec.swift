import Foundation
import TrendyDomain

/// A parent that a record is made beneath: its id stands in the path, and need not stand in the body.
public typealias ParentScope = RecordIndex.Reference

/// Reads and writes records of one kind, for code that works on any kind.
///
/// What is wrong with a client's body is thrown as ``ServerProblem``.
protocol RecordCodec: Sendable {
    /// The record in some JSON that needs no decoding; nil where it does.
    func plain(_ body: Data) -> PreparedRecord?

    /// The record in the body of a create request.
    func prepare(_ body: Data, beneath scope: ParentScope?) throws -> PreparedRecord

    /// Each record of a batch, or why it is none.
    func prepareBatch(_ body: Data, member: String, limit: Int) throws -> [Result<PreparedRecord, ServerProblem>]

    /// The changes that an update of that record asks for.
    ///
    /// - Parameter source: Where the record's id stands, in messages.
    func patch(_ body: Data, id: String, named source: String) throws -> [String: JSONValue]

    /// A stored record with these changes made.
    ///
    /// - Parameter mergesMaps: Whether those of a map are changes of its keys; else they take its place.
    func patched(_ document: Data, by changes: [String: JSONValue], mergesMaps: Bool) throws -> PreparedRecord

    /// A record of the server's own with other values in some fields, by whatever rules it was made.
    func changed(_ document: Data, to changes: [String: JSONValue]) throws -> PreparedRecord

    /// The records that a stored record refers to.
    func references(in document: Data) throws -> [RecordIndex.Reference]
}
