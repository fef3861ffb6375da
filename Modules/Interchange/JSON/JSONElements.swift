import Foundation
import TrendyDomain
import TrendyNotation

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
            if let problem { throw RowProblem(problem) }
            throw RowProblem(inWords(error))
        }
    }

    /// Where it is no JSON, or more than can be read, for whoever wrote it by hand; nil where it is neither.
    var problem: String? {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return "it is no JSON: it is not UTF-8; \(RowProblem.conversion)"
        }
        guard let fault = JSONReader.fault(in: bytes) else { return nil }
        let isJSON = fault.kind == .depth || fault.kind == .infinite
        let end = fault.place.lowerBound
        let before = String(decoding: bytes[max(0, end - 24)..<end], as: UTF8.self)
        // What is left of a character that the cut has split is no text.
        let text = Names.trimmed(before.filter { $0 != "\u{FFFD}" && !$0.isNewline })
        let place = text.isEmpty ? "at its beginning" : "after \(end > 24 ? "…" : "")\(text)"
        return "\(isJSON ? "it cannot be read" : "it is no JSON"): \(fault.reason) (\(place))"
    }
}
