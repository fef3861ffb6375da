import TrendyDomain

/// A column of a table of records: the wire name of a field, and how its values are stored.
public struct RecordColumn: Sendable, Hashable {
    enum Form: Sendable, Hashable {
        case text, integer, real, boolean, timestamp, json
    }

    let name: String
    let form: Form

    /// Strings, and types whose raw values are strings.
    public static func text(_ name: String) -> RecordColumn { Self(name: name, form: .text) }
    /// Whole numbers.
    public static func integer(_ name: String) -> RecordColumn { Self(name: name, form: .integer) }
    /// Floating-point numbers.
    public static func real(_ name: String) -> RecordColumn { Self(name: name, form: .real) }
    /// Flags, stored as 0 and 1.
    public static func boolean(_ name: String) -> RecordColumn { Self(name: name, form: .boolean) }
    /// Moments, stored as milliseconds since 1970.
    public static func timestamp(_ name: String) -> RecordColumn { Self(name: name, form: .timestamp) }
    /// Everything else (arrays, dictionaries, structs), stored as JSON.
    public static func json(_ name: String) -> RecordColumn { Self(name: name, form: .json) }
}

extension RecordColumn {
    /// The column in the list of a table's columns.
    var sql: String { "\(name.quotedForSQL) \(affinity)" }

    private var affinity: String {
        switch form {
        case .text, .json: "TEXT"
        case .integer, .boolean, .timestamp: "INTEGER"
        case .real: "REAL"
        }
    }

    /// A value as SQL writes it, in the form in which records have it in this column.
    ///
    /// - Throws: `StoreError.failed` where records could not have it.
    func literal(_ value: JSONValue) throws -> String {
        switch (form, value) {
        case (.text, .string(let text)): return Self.quoted(text)
        case (.integer, .integer(let number)): return String(number)
        case (.real, .integer(let number)): return String(Double(number))
        case (.real, .number(let number)) where number.isFinite: return String(number)
        case (.boolean, .boolean(let flag)): return flag ? "1" : "0"
        case (.timestamp, .string(let text)):
            if let time = Timestamp(text) { return String(time.milliseconds) }
        case (.json, .null): break
        case (.json, _): return Self.quoted(String(decoding: try WireCoding.encode(value), as: UTF8.self))
        default: break
        }
        let text = (try? WireCoding.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "that"
        throw StoreError.failed("the column \(name) holds \(form) values, and \(text) is none")
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
