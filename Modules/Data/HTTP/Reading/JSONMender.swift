import Foundation
import TrendyDomain

/// Mends JSON that a parser refuses as a whole, though only one text, number or value of it is bad.
///
/// Otherwise one record that another client wrote badly would keep all others from coming. Half a surrogate pair and
/// bytes that are no UTF-8 become U+FFFD. A backslash that begins no escape, and a control character, stand for
/// themselves. A number that no 64-bit floating-point number can hold (`1e400`, `NaN`) becomes its own text, so that
/// only its record is malformed. Values that lie too deep to be read become `null`: no known field has so many
/// levels. Any other JSON stays as it is, byte for byte. Other text that is no JSON stays so.
enum JSONMender {
    /// How many values may lie within each other: the rest of what the reader takes is for what is put around a record
    /// where it is kept.
    static let depthLimit = JSONReader.depthLimit - 12

    /// The text as it can be read; nil where there was nothing to mend, or more is wrong than can be mended.
    static func mended(_ text: Data) -> Data? {
        text.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes: bytes, noting: .ofValues, depthLimit: depthLimit)
            do throws(JSONFault) {
                try reader.document { reader throws(JSONFault) in try reader.skipValue() }
            } catch {
                return nil
            }
            guard !reader.faults.isEmpty else { return nil }
            var (result, copied) = (Data(capacity: text.count), 0)
            for fault in reader.faults {
                result.append(contentsOf: bytes[copied..<fault.place.lowerBound])
                result.append(contentsOf: replacement(of: fault.kind, bytes[fault.place]))
                copied = fault.place.upperBound
            }
            result.append(contentsOf: bytes[copied...])
            return result
        }
    }

    private static func replacement(of kind: JSONFault.Kind, _ bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        switch kind {
        case .half: Array("\\ufffd".utf8)
        case .encoding: Array("\u{FFFD}".utf8)
        case .escape: Array("\\\\".utf8)
        case .control:
            Array(((bytes.first ?? 0) < 0x10 ? "\\u000" : "\\u00").utf8)
                + Array(String(bytes.first ?? 0, radix: 16).utf8)
        case .depth: Array("null".utf8)
        default: [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        }
    }
}
