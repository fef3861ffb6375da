import Foundation
import TrendyDomain

/// The codec of one Swift type.
struct EntityCodec<Entity: SyncEntity>: RecordCodec {
    let rules: RecordRules<Entity>

    func prepare(_ body: Data, beneath scope: ParentScope?) throws -> PreparedRecord {
        try ServerProblem.reading {
            guard let scope else {
                var prepared = try prepare(JSONBody.decode(Entity.self, from: body, fields: Entity.fields))
                prepared.isAsSent = Self.holds(prepared.json, body)
                return prepared
            }
            var fields = try JSONBody.decode([String: JSONValue].self, from: body, fields: Entity.fields)
            let given = fields[scope.field] ?? .null
            guard given == .null || Self.names(given, scope.parent.id) else {
                throw ServerProblem.field(scope.field, "differs from the id in the path")
            }
            fields[scope.field] = .string(scope.parent.id)
            return try prepare(Self.entity(from: fields))
        }
    }

    /// Whether two JSON objects have the same members. Devices write what they send as the server does, mostly.
    private static func holds(_ json: Data, _ body: Data) -> Bool {
        if json == body { return true }
        // What no value of ours can hold was not kept.
        guard let sent = try? WireCoding.decode([String: JSONValue].self, from: body),
            let kept = try? WireCoding.decode([String: JSONValue].self, from: json)
        else { return false }
        return kept.isEqual(to: sent)
    }

    func prepareBatch(_ body: Data, member: String, limit: Int) throws -> [Result<PreparedRecord, ServerProblem>] {
        let items = try BatchBody(body, member: member).items
        guard !items.isEmpty else {
            throw ServerProblem.field(member, "must not be empty", code: "required")
        }
        guard items.count <= limit else {
            throw ServerProblem.field(member, "are \(items.count); at most \(limit) are allowed", code: "too_long")
        }
        return items.map { item in
            do {
                let entity = try JSONBody.decode(
                    Entity.self, from: item, fields: Entity.fields, subject: "the record")
                return .success(try ServerProblem.reading { try prepare(entity) })
            } catch let problem as ServerProblem {
                return .failure(problem)
            } catch {
                return .failure(ServerProblem(.badRequest, "the record cannot be encoded: \(error)"))
            }
        }
    }

    func preparePatch(_ body: Data, id: String) throws -> PreparedPatch {
        let given = try JSONBody.decode([String: JSONValue].self, from: body, fields: Entity.fields)
        guard given["id"].map({ Self.names($0, id) }) ?? true else {
            throw ServerProblem.field("id", "differs from the id in the path")
        }
        let changes = given.filter { $0.key != "id" && Entity.fields.contains($0.key) }
        return PreparedPatch { document in try patched(document, by: changes) }
    }

    private func patched(_ document: Data, by changes: [String: JSONValue]) throws -> PreparedRecord {
        var fields = try WireCoding.fields(of: WireCoding.decode(Entity.self, from: document))
        for (field, value) in changes { fields[field] = value == .null ? nil : value }
        let json = try WireCoding.encode(fields)
        let entity: Entity
        do {
            entity = try WireCoding.decode(Entity.self, from: json)
        } catch let error as DecodingError {
            throw MisfitRecord(json: json) { Self.problem(of: json) ?? ServerProblem(error) }
        }
        return try ServerProblem.reading {
            try checkCleared(changes, in: entity)
            return try prepare(entity)
        }
    }

    /// What is wrong with the JSON of a record.
    private static func problem(of json: Data) -> ServerProblem? {
        do {
            _ = try JSONBody.decode(Entity.self, from: json, fields: Entity.fields)
            return nil
        } catch {
            return error
        }
    }

    /// A field that has a value although it was cleared stands for itself alone: it cannot be empty.
    func checkCleared(_ changes: [String: JSONValue], in entity: Entity) throws {
        let cleared = Entity.fields.filter { $0 != "id" && changes[$0] == .null }
        if cleared.isEmpty { return }
        let fields = try WireCoding.fields(of: entity)
        let errors = cleared.filter { (fields[$0] ?? .null) != .null }
            .map { FieldError(field: $0, message: "cannot be cleared", code: "required") }
        if !errors.isEmpty { throw ValidationError(entityType: Entity.entityType, fields: errors) }
    }

    static func entity(from fields: [String: JSONValue]) throws -> Entity {
        try JSONBody.decode(Entity.self, from: WireCoding.encode(fields), fields: Entity.fields)
    }

    /// Whether a value is that id, in either case.
    static func names(_ value: JSONValue, _ id: String) -> Bool {
        guard let text = value.stringValue else { return false }
        return text == id || UUIDv7(text)?.description == id
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
    func prepare(_ given: Entity, isChecked: Bool = false) throws -> PreparedRecord {
        var entity = given
        if !isChecked {
            guard let id = UUIDv7(entity.id) else {
                throw ServerProblem.field(
                    "id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
            }
            try entity.validate()
            entity.id = id.description
            entity = try withPlainReferences(entity)
        }
        let json: Data
        do {
            json = try WireCoding.encode(entity)
        } catch let error as EncodingError {
            throw ServerProblem(.validation, "the record cannot be written as JSON: \(error)")
        }
        return PreparedRecord(id: entity.id, json: json, index: try index(of: entity)) { [entity] id in
            var renamed = entity
            renamed.id = id
            return try prepare(renamed, isChecked: true)
        }
    }

    /// The record with its references in lower case: an id is the same in either (RFC 9562, section 4).
    private func withPlainReferences(_ entity: Entity) throws -> Entity {
        if Entity.parents.isEmpty { return entity }
        let strings = try StringFields.of(entity)
        var plain: [String: JSONValue] = [:]
        for parent in Entity.parents {
            guard let text = strings[parent.field], let id = UUIDv7(text)?.description, id != text else { continue }
            plain[parent.field] = .string(id)
        }
        if plain.isEmpty { return entity }
        return try Patch<Entity>(changes: plain).applied(to: entity)
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
