import Foundation
import TrendyDomain

/// Writes a user's records as they go over the wire: the record's own members, then the server's.
final class WireDocument {
    private let end: String
    /// The server's members that were written last: those of most records that came together are equal.
    private var last = (createdAt: Timestamp.earliest, updatedAt: Timestamp.earliest, text: "")

    init(userId: String) { end = "\",\"user_id\":\(JSONText.quoted(userId))}" }

    func of(_ record: StoredRecord) -> Data {
        var json = Data(capacity: (record.document?.count ?? 0) + 160)
        append(record, to: &json)
        return json
    }

    /// Adds a record, which is no tombstone and has at least an id.
    func append(_ record: StoredRecord, to json: inout Data) {
        if let document = record.document { json.append(document.dropLast()) }
        json.append(",")
        appendMembers(of: record, to: &json)
    }

    /// Adds what the server says of a record, and no more.
    func appendServer(of record: StoredRecord, to json: inout Data) {
        json.append("{")
        appendMembers(of: record, to: &json)
    }

    private func appendMembers(of record: StoredRecord, to json: inout Data) {
        if last.text.isEmpty || last.createdAt != record.createdAt || last.updatedAt != record.updatedAt {
            last = (
                record.createdAt, record.updatedAt,
                "\"created_at\":\"\(record.createdAt)\",\"updated_at\":\"\(record.updatedAt)\(end)"
            )
        }
        json.append(last.text)
    }
}

/// JSON that is put together from parts which are JSON already.
enum JSONText {
    /// A string as JSON.
    static func quoted(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            return "\"\(text)\""
        }
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

    /// Adds a JSON array of some values to JSON.
    static func append<Value>(_ values: [Value], to json: inout Data, _ write: (Value, inout Data) throws -> Void)
        rethrows
    {
        json.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { json.append(",") }
            try write(value, &json)
        }
        json.append("]")
    }
}

extension Data {
    /// Adds a text as UTF-8.
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// The bytes at those offsets.
    func part(_ range: Range<Int>) -> Data {
        subdata(in: startIndex + range.lowerBound..<startIndex + range.upperBound)
    }
}
