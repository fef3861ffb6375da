import GRDB

/// A value on its way to JSON.
///
/// Foundation's encoder gives the same text, but takes several times as long, and an import spends most
/// of its time here.
final class JSONNode {
    enum Content {
        /// Nothing was encoded yet.
        case nothing
        case null
        case boolean(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case number(Double)
        case string(String)
        case array([JSONNode])
        case object([(key: String, value: JSONNode)])
    }

    var content: Content

    init(_ content: Content = .nothing) {
        self.content = content
    }

    func append(_ node: JSONNode) {
        guard case .array(var elements) = content else {
            content = .array([node])
            return
        }
        content = .nothing
        elements.append(node)
        content = .array(elements)
    }

    func set(_ node: JSONNode, for key: String) {
        guard case .object(var members) = content else {
            content = .object([(key, node)])
            return
        }
        content = .nothing
        members.append((key, node))
        content = .object(members)
    }

    /// The value as SQLite's own kinds of value know it; nil for arrays, objects and nothing.
    var scalar: DatabaseValue? {
        switch content {
        case .boolean(let flag): flag.databaseValue
        case .integer(let number): number.databaseValue
        case .unsigned(let number): Int64(exactly: number)?.databaseValue
        case .number(let number): number.isFinite ? number.databaseValue : nil
        case .string(let text): .text(text)
        case .nothing, .null, .array, .object: nil
        }
    }

    /// The JSON, with the keys of objects in order, so that equal values give equal texts.
    func text() throws -> String {
        var text = ""
        try write(to: &text)
        return text
    }

    private func write(to text: inout String) throws {
        switch content {
        case .nothing: text += "{}"
        case .null: text += "null"
        case .boolean(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += String(number)
        case .unsigned(let number): text += String(number)
        case .number(let number): text += try Self.text(of: number)
        case .string(let string): Self.write(string, to: &text)
        case .array(let elements): try Self.write(elements, to: &text)
        case .object(let members): try Self.write(members, to: &text)
        }
    }

    private static func write(_ elements: [JSONNode], to text: inout String) throws {
        text += "["
        var isFirst = true
        for element in elements {
            if !isFirst { text += "," }
            isFirst = false
            try element.write(to: &text)
        }
        text += "]"
    }

    private static func write(_ members: [(key: String, value: JSONNode)], to text: inout String) throws {
        text += "{"
        var isFirst = true
        for member in members.sorted(by: { $0.key < $1.key }) {
            if !isFirst { text += "," }
            isFirst = false
            write(member.key, to: &text)
            text += ":"
            try member.value.write(to: &text)
        }
        text += "}"
    }

    private static func text(of number: Double) throws -> String {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, .init(codingPath: [], debugDescription: "\(number) is no number that JSON can hold"))
        }
        // Whole numbers are written as such, as everywhere on the wire.
        guard abs(number) < 1e15, number.sign == .plus || number != 0, let whole = Int64(exactly: number) else {
            return number.description
        }
        return String(whole)
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        if string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            for scalar in string.unicodeScalars { write(scalar, to: &text) }
        } else {
            text += string
        }
        text += "\""
    }

    private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case _ where scalar.value < 0x20:
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
}
