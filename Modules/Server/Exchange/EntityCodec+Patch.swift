import Foundation
import TrendyDomain

extension EntityCodec {
    func patch(_ body: Data, id: String) throws -> [String: JSONValue] {
        try ServerProblem.reading {
            let changes = try JSONBody.decode([String: JSONValue].self, from: body, fields: Entity.fields)
            guard changes["id"].map({ Self.names($0, id) }) ?? true else {
                throw ServerProblem.field("id", "differs from entity_id")
            }
            return changes
        }
    }

    func merged(_ document: Data, id: String, with patch: [String: JSONValue]) throws -> PreparedRecord {
        let entity = try WireCoding.decode(Entity.self, from: document)
        return try ServerProblem.reading {
            var fields = try WireCoding.fields(of: entity)
            for (field, value) in patch where field != "id" {
                let old = fields[field] ?? .null
                fields[field] = Entity.mapFields.contains(field) ? old.merging(value) : value
            }
            let merged = try WireCoding.value(Entity.self, from: fields)
            try checkCleared(patch.filter { !Entity.mapFields.contains($0.key) }, in: merged)
            var prepared = try prepare(merged)
            prepared.isAsSent = try WireCoding.decode([String: JSONValue].self, from: prepared.json).isEqual(to: fields)
            return prepared
        }
    }
}

extension [String: JSONValue] {
    /// Whether both have the same members; a member that is null is none.
    func isEqual(to other: Self) -> Bool { filter { $1 != .null } == other.filter { $1 != .null } }
}

extension JSONValue {
    /// A map after a patch of its keys: null takes a key out, any other value takes the place of what was there. Null in
    /// place of the patch takes all of them out.
    fileprivate func merging(_ patch: JSONValue) -> JSONValue {
        if patch == .null { return .object([:]) }
        guard case .object(let changes) = patch else { return patch }
        var members = objectValue ?? [:]
        for (key, value) in changes { members[key] = value }
        return .object(members.filter { $1 != .null })
    }
}
