import Foundation
import TrendyDomain

/// The elements of a file of JSON, or of one with a value on each line.
@MainActor
package struct JSONElements {
    /// How the file is written.
    package enum Form {
        /// One JSON value: an array, or an object of arrays.
        case document
        /// A JSON value on each line (JSON Lines, NDJSON).
        case lines
    }

    private enum Reader {
        case document(JSONElementReader)
        case lines(LineReader)
    }

    private var reader: Reader

    package init(_ source: any ByteSource, _ form: Form) {
        switch form {
        case .document: reader = .document(JSONElementReader(source))
        case .lines: reader = .lines(LineReader(source))
        }
    }

    /// The next element, nil after the last; empty lines are none.
    package mutating func next() throws -> JSONElement? {
        switch reader {
        case .document(var document):
            defer { reader = .document(document) }
            return try document.next()
        case .lines(var lines):
            defer { reader = .lines(lines) }
            while let line = try lines.next() {
                if line.allSatisfy({ $0 <= 0x20 }) { continue }
                return JSONElement(section: nil, line: lines.number, bytes: Array(line))
            }
            return nil
        }
    }
}

extension JSONElement {
    /// The element as a value.
    ///
    /// - Throws: ``RowProblem`` that names the member that is wrong.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(RowProblem) -> Value {
        do {
            return try WireCoding.decode(type, from: Data(bytes))
        } catch {
            // The decoder takes text that is no JSON for a value of another kind, or says nothing of where it is wrong.
            if let problem = JSONSyntax.problem(in: bytes) { throw RowProblem(problem) }
            throw RowProblem(Self.reason(error))
        }
    }

    /// What is wrong with a value, in one clause.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "it cannot be read: \(error)" }
        switch error {
        case .keyNotFound(let key, let context):
            return "'\(path(context.codingPath + [key]))' is missing"
        case .valueNotFound(_, let context):
            return "'\(path(context.codingPath))' is null"
        case .typeMismatch(let type, let context):
            let field = path(context.codingPath)
            return "\(field.isEmpty ? "it" : "'\(field)'") is \(complement(type))"
        case .dataCorrupted(let context):
            let field = path(context.codingPath)
            return "\(field.isEmpty ? "it" : "'\(field)'") cannot be read: \(context.debugDescription)"
        @unknown default:
            return "it cannot be read: \(error)"
        }
    }

    /// What a value is not, for a person.
    private static func complement(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "no text"
        case is Bool.Type: "neither true nor false"
        case is Double.Type, is Int.Type, is Int64.Type: "no number"
        case is [Any].Type: "no array"
        case is [String: Any].Type: "no object"
        default: "of another kind"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { key in key.intValue.map { "\($0 + 1)" } ?? key.stringValue }.joined(separator: ".")
    }
}
