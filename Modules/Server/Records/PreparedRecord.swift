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
struct AppliedPatch: Sendable {
    private let document: Data
    private let result: Result<PreparedRecord, any Error>

    init(to document: Data, _ apply: (Data) throws -> PreparedRecord) {
        self.document = document
        result = Result { try apply(document) }
    }

    /// What it has made of the record; nil where that has changed since.
    func result(for record: StoredRecord) throws -> PreparedRecord? {
        try record.document == document ? result.get() : nil
    }

    /// The same where it can be had.
    var prepared: PreparedRecord? { try? result.get() }
}
