import Foundation
import TrendyDomain

/// A record that was read, checked by the rules of its kind and encoded: ready to be written.
struct PreparedRecord: Sendable {
    var id: String
    /// The JSON of the record without the server's fields.
    var json: Data
    var index: RecordIndex
    /// Whether the record holds exactly what was sent: neither was anything left out or put in another form, nor were
    /// fields filled in.
    var isAsSent = false
}

/// What a patch makes of a record as it was before the transaction.
typealias AppliedPatch = (document: Data, result: Result<PreparedRecord, any Error>)
