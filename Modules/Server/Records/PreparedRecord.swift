import Foundation
import TrendyDomain

/// A record that was read, checked by the rules of its kind and encoded: ready to be written.
struct PreparedRecord: Sendable {
    let id: String
    /// The JSON of the record without the server's fields.
    let json: Data
    let index: RecordIndex
    /// The same record under another id, for one that turns out to be there already.
    let withId: @Sendable (String) throws -> PreparedRecord
    /// Whether the record holds exactly what was sent: neither was anything left out or put in another form, nor were
    /// fields filled in.
    var isAsSent = false
}

/// The changes of an update request that were read: ready to be applied to the record.
struct PreparedPatch: Sendable {
    /// A stored record with the changes.
    ///
    /// - Throws: ``ServerProblem``, or ``MisfitRecord`` for what takes longer to name than to notice.
    let applied: @Sendable (_ document: Data) throws -> PreparedRecord
}

/// What a patch makes of a record as it was before the transaction.
struct AppliedPatch: Sendable {
    let document: Data
    /// What went wrong with it is told only if the record is still the same.
    let result: Result<PreparedRecord, any Error>

    init(_ patch: PreparedPatch, to document: Data) {
        self.document = document
        result = Result { try patch.applied(document) }
    }
}

/// A record that its changes have made into none.
///
/// It takes several passes over the record to say which field is wrong, for which other writes need not wait.
struct MisfitRecord: Error {
    let json: Data
    /// Finds out what is wrong with it.
    let problem: @Sendable () -> ServerProblem
}

/// The JSON of a record as it goes over the wire: the record's own members, then the server's.
enum RecordDocument {
    /// Adds the server's members to the JSON object of a record, which has at least an id.
    static func make(_ json: Data, userId: String, createdAt: Timestamp, updatedAt: Timestamp) -> Data {
        var document = Data(capacity: json.count + 160)
        document.append(json.dropLast())
        document.append(contentsOf: separator)
        document.append(contentsOf: createdAt.description.utf8)
        document.append(contentsOf: "\",\"updated_at\":\"".utf8)
        document.append(contentsOf: updatedAt.description.utf8)
        document.append(contentsOf: "\",\"user_id\":".utf8)
        document.append(contentsOf: JSONText.quoted(userId).utf8)
        document.append(UInt8(ascii: "}"))
        return document
    }

    /// Whether a document holds exactly that record.
    static func holds(_ document: Data, _ json: Data) -> Bool {
        let own = json.dropLast()
        return document.starts(with: own) && document.dropFirst(own.count).starts(with: separator)
    }

    private static let separator = Array(",\"created_at\":\"".utf8)
}

/// JSON that is put together from parts which are JSON already.
enum JSONText {
    /// A string as JSON.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// An array of documents.
    static func array(_ documents: [Data]) -> Data {
        var result = Data(capacity: documents.reduce(2) { $0 + $1.count + 1 })
        append(documents, to: &result)
        return result
    }

    /// Adds an array of documents to some JSON.
    static func append(_ documents: [Data], to result: inout Data) {
        result.append(UInt8(ascii: "["))
        for (index, document) in documents.enumerated() {
            if index > 0 { result.append(UInt8(ascii: ",")) }
            result.append(document)
        }
        result.append(UInt8(ascii: "]"))
    }
}
