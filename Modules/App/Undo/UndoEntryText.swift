import Foundation
import TrendyDomain

/// The text of an entry in the journal: its steps as JSON.
///
/// An import makes a hundred thousand records. So where all steps made records of one kind under UUIDs, the text is
/// only the kind and the ids: `made event AaIUas8...`, each id as 16 bytes in Base64.
enum UndoEntryText {
    private static let made = "made "

    static func text(_ steps: ArraySlice<UndoStep>) throws -> String {
        try short(steps) ?? String(decoding: WireCoding.encode(Array(steps)), as: UTF8.self)
    }

    static func steps(_ text: String) throws -> [UndoStep] {
        guard text.hasPrefix(made), let end = text.lastIndex(of: " "),
            let ids = Data(base64Encoded: String(text[text.index(after: end)...])), ids.count.isMultiple(of: 16)
        else { return try WireCoding.decode([UndoStep].self, from: Data(text.utf8)) }
        let kind = EntityType(rawValue: String(text[..<end].dropFirst(made.count)))
        return ids.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 16).map { start in
                let high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
                let low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self))
                return UndoStep(.create, kind, UUIDText.text(high: high, low: low))
            }
        }
    }

    /// The kind and the ids; nil where the steps say more.
    private static func short(_ steps: ArraySlice<UndoStep>) -> String? {
        guard let kind = steps.first?.entityType else { return nil }
        var ids = Data(capacity: steps.count * 16)
        for step in steps {
            guard let (high, low) = UUIDText.parse(step.id), step == UndoStep(.create, kind, step.id) else {
                return nil
            }
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { ids.append(contentsOf: $0) }
        }
        return "\(made)\(kind.rawValue) \(ids.base64EncodedString())"
    }
}
