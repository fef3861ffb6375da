import Foundation
import TrendyDomain

/// What a store writes as natural keys after their rule has changed.
///
/// It knows the kinds of the Trendy app. Records of other kinds have the new key with their next change.
struct NaturalKeyRenewal {
    private let catalog = RecordCatalog.trendy

    /// The kinds that have natural keys.
    var types: [EntityType] { catalog.schema.types.filter { !$0.naturalKey.isEmpty }.map { $0.entityType } }

    /// The natural key of a stored record; nil where it cannot be read, and keeps what it has.
    func key(of type: EntityType, _ document: Data?) -> String? {
        guard let document else { return nil }
        return try? catalog.kind(type).codec.changed(document, to: [:]).index.naturalKey
    }
}
