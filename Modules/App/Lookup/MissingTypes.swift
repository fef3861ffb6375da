import TrendyData
import TrendyDomain
import TrendyTerminal

/// What stands in the place of the names of types that are not here.
///
/// A pull may have brought events before their type, or with one that this version cannot read.
@MainActor
final class MissingTypes {
    private let reader: StoreReader
    /// Many events have the same type.
    private var names: [String: String] = [:]

    init(_ reader: StoreReader) {
        self.reader = reader
    }

    /// `(coffee, in quarantine)`, `(coffee, deleted)`, `(unknown type 1a2b3c4d)`; the id stands for a name that is not
    /// known either.
    func name(of id: String) -> String {
        if let name = names[id] { return name }
        let nameless = "type \(ShortId.of(id))"
        // A look that fails tells no more than that the type is not here.
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
