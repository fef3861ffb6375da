import Foundation
import TrendyDomain

/// The members of JSON objects that checkers look at again and again, so that each is read once.
final class FieldMemo {
    private var read: [Data: [String: JSONValue]] = [:]
    private var shown: [String: (entity: any SyncEntity, fields: [String: JSONValue])] = [:]

    /// The members of an object; none where there is no object.
    func fields(of json: Data?) throws -> [String: JSONValue] {
        guard let json else { return [:] }
        if let known = read[json] { return known }
        let fields = try WireCoding.decode([String: JSONValue].self, from: json)
        read[json] = fields
        return fields
    }

    func fields<Entity: SyncEntity>(of entity: Entity) throws -> [String: JSONValue] {
        if let known = shown[entity.id], known.entity as? Entity == entity { return known.fields }
        let fields = try WireCoding.fields(of: entity)
        shown[entity.id] = (entity, fields)
        return fields
    }
}
