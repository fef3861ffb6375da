import Foundation
import TrendyDomain

/// Recognises records that need no decoding: the JSON that devices write, with plain values in every field.
///
/// What it takes, the codec of the kind takes too, and makes the same bytes and the same index of. What it does not
/// take goes that longer way: it is not refused.
struct PlainForm: Sendable {
    /// What may stand in a field: ids are UUIDs of version 7 in lower case, times as servers write them, and texts have no
    /// escapes. Numbers are how many bytes of a text, or properties, there may be.
    enum Value: Sendable {
        case id, flag, text(Int), word(Set<String>), properties(Int)
        case reference(EntityType)
        /// The time that lists are sorted by.
        case order
    }

    /// A field of the kind, and whether it may be left out.
    typealias Field = (name: String, value: Value, isOptional: Bool)

    /// In the order of their names.
    let fields: [Field]

    /// The record in some JSON; nil where it is not of this form.
    func read(_ json: Data) -> PreparedRecord? {
        json.withUnsafeBytes { bytes in
            var reader = Reader(bytes: bytes.bindMemory(to: UInt8.self))
            guard reader.object(of: fields), let id = reader.id else { return nil }
            if reader.needsUTF8, String(validating: bytes, as: UTF8.self) == nil { return nil }
            return PreparedRecord(
                id: id, json: json, index: RecordIndex(order: reader.order, references: reader.references),
                isAsSent: true)
        }
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var position = 0
        var needsUTF8 = false
        var id: String?
        var order: Int64 = 0
        var references: [RecordIndex.Reference] = []

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func object(of fields: [Field]) -> Bool {
            guard takes("{") else { return false }
            var isFirst = true
            for field in fields {
                let start = position
                guard isFirst || takes(","), takes("\""), takes(field.name), takes("\":") else {
                    position = start
                    if field.isOptional { continue }
                    return false
                }
                isFirst = false
                guard value(field.value, named: field.name) else { return false }
            }
            return takes("}") && position == bytes.count
        }

        private mutating func value(_ value: Value, named name: String) -> Bool {
            switch value {
            case .id:
                id = uuid()
                return id != nil
            case .reference(let type):
                guard let id = uuid() else { return false }
                references.append(RecordIndex.Reference(field: name, parent: RecordKey(type, id)))
                return true
            case .order:
                guard let text = text(24), let time = Timestamp(text), time.description == text else { return false }
                order = time.milliseconds
                return true
            case .text(let limit): return skipText(limit) != nil
            case .word(let words): return text(64).map(words.contains) ?? false
            case .flag: return takes("true") || takes("false")
            case .properties(let limit): return properties(limit)
            }
        }

        private mutating func properties(_ limit: Int) -> Bool {
            guard takes("{") else { return false }
            if takes("}") { return true }
            var last = ""
            for count in 1...limit {
                guard let key = text(100), last.utf8.lexicographicallyPrecedes(key.utf8),
                    !key.allSatisfy(\.isWhitespace), takes(":{\"type\":")
                else { return false }
                last = key
                switch text(64) {
                case "text"? where takes(",\"value\":") && skipText(10_000) != nil: break
                case "boolean"? where takes(",\"value\":") && (takes("true") || takes("false")): break
                case "number"? where takes(",\"value\":") && skipNumber(): break
                default: return false
                }
                guard takes("}") else { return false }
                if takes("}") { return true }
                guard count < limit, takes(",") else { return false }
            }
            return false
        }

        /// Passes over a number in the form that servers write.
        private mutating func skipNumber() -> Bool {
            let start = position
            while position < bytes.count, position - start < 16, "0123456789-.".utf8.contains(bytes[position]) {
                position += 1
            }
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            guard let number = Double(text), number.magnitude < 1e15, number != 0 || text == "0" else { return false }
            return number.description == (number == number.rounded() ? text + ".0" : text)
        }

        private mutating func uuid() -> String? {
            guard let text = text(36), UUIDText.parse(text) != nil, UUIDv7(text) != nil else { return nil }
            return text
        }

        private mutating func text(_ limit: Int) -> String? {
            skipText(limit).map { String(decoding: bytes[$0], as: UTF8.self) }
        }

        /// Passes over a text of at most so many bytes. Answers its place without the quotes.
        private mutating func skipText(_ limit: Int) -> Range<Int>? {
            guard takes("\"") else { return nil }
            let start = position
            while position < bytes.count, position - start <= limit {
                let byte = bytes[position]
                if byte == UInt8(ascii: "\"") {
                    position += 1
                    return start..<position - 1
                }
                guard byte >= 0x20, byte != UInt8(ascii: "\\") else { return nil }
                if byte >= 0x80 { needsUTF8 = true }
                position += 1
            }
            return nil
        }

        private mutating func takes(_ text: String) -> Bool {
            var end = position
            for byte in text.utf8 {
                guard end < bytes.count, bytes[end] == byte else { return false }
                end += 1
            }
            position = end
            return true
        }
    }
}
