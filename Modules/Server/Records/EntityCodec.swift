import Foundation
import TrendyDomain

/// The codec of one Swift type.
struct EntityCodec<Entity: SyncEntity>: RecordCodec {
    let rules: RecordRules<Entity>

    func prepare(_ body: Data, beneath scope: ParentScope?) throws -> PreparedRecord {
        try ServerProblem.reading {
            guard let scope else { return try prepare(WireCoding.decode(Entity.self, from: body)) }
            var fields = try WireCoding.decode([String: JSONValue].self, from: body)
            let given = fields[scope.field] ?? .null
            guard given == .null || given == .string(scope.parent.id) else {
                throw ServerProblem.field(scope.field, "differs from the id in the path")
            }
            fields[scope.field] = .string(scope.parent.id)
            return try prepare(WireCoding.value(Entity.self, from: fields))
        }
    }

    func prepareBatch(_ body: Data, member: String, limit: Int) throws -> [Result<PreparedRecord, ServerProblem>] {
        let batch = try ServerProblem.reading {
            try JSONDecoder().decode(BatchBody<Entity>.self, from: body, configuration: member)
        }
        guard !batch.items.isEmpty else {
            throw ServerProblem.field(member, "must not be empty", code: "required")
        }
        guard batch.items.count <= limit else {
            throw ServerProblem.field(
                member, "are \(batch.items.count); at most \(limit) are allowed", code: "too_long")
        }
        return batch.items.map { item in
            item.flatMap { entity in
                do {
                    return .success(try ServerProblem.reading { try prepare(entity) })
                } catch let problem as ServerProblem {
                    return .failure(problem)
                } catch {
                    return .failure(ServerProblem(.badRequest, "the record cannot be encoded: \(error)"))
                }
            }
        }
    }

    func patched(_ document: Data, id: String, by body: Data) throws -> PreparedRecord {
        let entity = try WireCoding.decode(Entity.self, from: document)
        return try ServerProblem.reading {
            let patch = try WireCoding.decode(Patch<Entity>.self, from: body)
            guard (patch.changes["id"] ?? .string(id)) == .string(id) else {
                throw ServerProblem.field("id", "differs from the id in the path")
            }
            return try prepare(patch.applied(to: entity))
        }
    }

    func clearing(_ fields: [String], in document: Data) throws -> PreparedRecord {
        let entity = try WireCoding.decode(Entity.self, from: document)
        let patch = Patch<Entity>(changes: Dictionary(fields.map { ($0, .null) }, uniquingKeysWith: { $1 }))
        return try prepare(patch.applied(to: entity), isChecked: true)
    }

    func index(of document: Data) throws -> RecordIndex {
        try index(of: WireCoding.decode(Entity.self, from: document))
    }

    /// - Parameter isChecked: Whether the record is one of the server's own, whose rules may have
    ///   become stricter since it was made.
    private func prepare(_ entity: Entity, isChecked: Bool = false) throws -> PreparedRecord {
        if !isChecked {
            guard UUIDv7(entity.id) != nil else {
                throw ServerProblem.field(
                    "id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
            }
            try entity.validate()
        }
        let json: Data
        do {
            json = try WireCoding.encode(entity)
        } catch let error as EncodingError {
            throw ServerProblem(.validation, "the record cannot be written as JSON: \(error)")
        }
        return PreparedRecord(id: entity.id, json: json, index: try index(of: entity)) { id in
            var renamed = entity
            renamed.id = id
            return try prepare(renamed, isChecked: true)
        }
    }

    private func index(of entity: Entity) throws -> RecordIndex {
        let needsStrings = !Entity.parents.isEmpty || !Entity.naturalKey.isEmpty
        let strings = needsStrings ? try StringFields.of(entity) : [:]
        let references = Entity.parents.compactMap { parent in
            strings[parent.field].map {
                RecordIndex.Reference(field: parent.field, parent: RecordKey(parent.entityType, $0))
            }
        }
        return RecordIndex(
            order: rules.order(entity), naturalKey: try naturalKey(of: entity, strings),
            upsertKey: rules.upsertKey(entity), isActive: rules.isActive(entity), references: references)
    }

    /// The values of the natural key as one text; nil where one of them is missing.
    private func naturalKey(of entity: Entity, _ strings: [String: String]) throws -> String? {
        let names = Entity.naturalKey
        if names.isEmpty { return nil }
        var values = names.compactMap { strings[$0] }
        if values.count < names.count {
            let fields = try WireCoding.fields(of: entity)
            values = try names.compactMap { name in
                try fields[name].flatMap { $0 == .null ? nil : $0 }.map { try WireCoding.encode([$0]).text }
            }
        }
        guard values.count == names.count else { return nil }
        return values.count == 1 ? values[0] : "[" + values.map(JSONText.quoted).joined(separator: ",") + "]"
    }
}
