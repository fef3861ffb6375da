import Foundation
import TrendyDomain
import TrendyNotation

/// The elements of a file in JSON or JSON Lines.
@MainActor
package struct JSONElements {
    /// The format of the file.
    package enum Form {
        /// A JSON array, or an object of arrays.
        case document
        /// A JSON value per line (JSON Lines, NDJSON).
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

    /// The next element; nil at the end. Empty lines are skipped.
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
    /// Decodes the element.
    ///
    /// - Throws: ``RowError`` with the wrong member.
    package func decode<Value: Decodable>(_ type: Value.Type) throws(RowError) -> Value {
        do {
            return try WireCoding.decode(type, from: Data(bytes))
        } catch {
            // The errors of the decoder do not show the place of invalid JSON.
            if let problem { throw RowError(problem) }
            throw RowError(inWords(error))
        }
    }

    /// The error of invalid JSON with its place; nil for valid JSON.
    var problem: String? {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            return "it is not UTF-8; \(RowError.conversion)"
        }
        guard let fault = JSONReader.fault(in: bytes) else { return nil }
        let isJSON = fault.kind == .depth || fault.kind == .infinite
        let end = fault.place.lowerBound
        let before = String(decoding: bytes[max(0, end - 24)..<end], as: UTF8.self)
        // The cut can split a character.
        let text = Names.trimmed(before.filter { $0 != "\u{FFFD}" && !$0.isNewline })
        let place = text.isEmpty ? "at its beginning" : "after \(end > 24 ? "…" : "")\(text)"
        return "\(isJSON ? "it cannot be read" : "it is not JSON"): \(fault.reason) (\(place))"
    }
}
