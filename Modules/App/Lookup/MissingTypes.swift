import TrendyData
import TrendyDomain
import TrendyTerminal

/// The texts that replace the names of missing types.
///
/// A sync can bring events before their type, or with a type that this version cannot read.
@MainActor
final class MissingTypes {
    private let reader: StoreReader
    /// A cache, because many events have the same type.
    private var names: [String: String] = [:]

    init(_ reader: StoreReader) {
        self.reader = reader
    }

    /// `(coffee, in quarantine)`, `(coffee, deleted)` or `(unknown type 1a2b3c4d)`; an id replaces an unknown name.
    func name(of id: String) -> String {
        if let name = names[id] { return name }
        let nameless = "type \(ShortId.of(id))"
        // If the lookup fails, the type is only known to be missing.
        let name = (try? known(id, nameless)) ?? "(unknown \(nameless))"
        names[id] = name
        return name
    }

    private func known(_ id: String, _ nameless: String) throws -> String? {
        let entries = try reader.documents(QuarantinedChange.self).map(\.entry)
        if let entry = entries.last(where: { $0.entityType == EventType.entityType && $0.entityId == id }) {
            return "(\(Self.name(entry.data?.objectValue) ?? nameless), in quarantine)"
        }
        guard let base = try reader.base(of: EventType.entityType, id: id) else { return nil }
        return "(\(Self.name(base.document) ?? nameless), deleted)"
    }

    private static func name(_ fields: [String: JSONValue]?) -> String? {
        fields?[EventType.CodingKeys.name.stringValue]?.stringValue.map(TextTable.singleLine)
    }
}
