import Foundation
import TrendyDomain

/// The codec of one Swift type.
struct EntityCodec<Entity: SyncEntity>: RecordCodec {
    let rules: RecordRules<Entity>

    func plain(_ body: Data) -> PreparedRecord? { rules.plainForm?.read(body) }

    func prepare(_ body: Data, beneath scope: ParentScope?) throws -> PreparedRecord {
        if scope == nil, let plain = plain(body) { return plain }
        return try ServerProblem.reading {
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
            return try prepare(JSONBody.decode(Entity.self, from: WireCoding.encode(fields), fields: Entity.fields))
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
        let outline = try JSONBody.outline(of: body)
        guard outline.kind == .object else { throw ServerProblem(.badRequest, "the body must be an object") }
        guard let list = outline.members.last(where: { $0.name == member }) else {
            throw ServerProblem.field(member, "is required", code: "required")
        }
        guard list.kind == .array else { throw ServerProblem.field(member, "must be an array", code: "type") }
        guard !list.elements.isEmpty else { throw ServerProblem.field(member, "must not be empty", code: "required") }
        guard list.elements.count <= limit else {
            throw ServerProblem.field(
                member, "are \(list.elements.count); at most \(limit) are allowed", code: "too_long")
        }
        return list.elements.map { range in
            do {
                let entity = try JSONBody.decode(
                    Entity.self, from: body.part(range), fields: Entity.fields, subject: "the record")
                return .success(try ServerProblem.reading { try prepare(entity) })
            } catch let problem as ServerProblem {
                return .failure(problem)
            } catch {
                return .failure(ServerProblem(.badRequest, "the record cannot be encoded: \(error)"))
            }
        }
    }

    func patch(_ body: Data, id: String, named source: String) throws -> [String: JSONValue] {
        let given = try JSONBody.decode([String: JSONValue].self, from: body, fields: Entity.fields)
        guard given["id"].map({ Self.names($0, id) }) ?? true else {
            throw ServerProblem.field("id", "differs from \(source)")
        }
        return given.filter { $0.key != "id" && Entity.fields.contains($0.key) }
    }

    func patched(_ document: Data, by changes: [String: JSONValue], mergesMaps: Bool) throws -> PreparedRecord {
        let maps = mergesMaps ? Entity.mapFields : []
        var fields = try WireCoding.fields(of: WireCoding.decode(Entity.self, from: document))
        for (field, value) in changes {
            fields[field] = maps.contains(field) ? (fields[field] ?? .null).merging(value) : value
        }
        fields = fields.filter { $0.value != .null }
        return try ServerProblem.reading {
            let entity = try Self.entity(from: fields)
            try checkCleared(changes.filter { !maps.contains($0.key) }, in: entity)
            var prepared = try prepare(entity)
            prepared.isAsSent = try WireCoding.decode([String: JSONValue].self, from: prepared.json).isEqual(to: fields)
            return prepared
        }
    }

    private static func entity(from fields: [String: JSONValue]) throws -> Entity {
        do {
            return try WireCoding.value(Entity.self, from: fields)
        } catch is DecodingError {
            // It takes several passes over the record to say which field is wrong.
            return try JSONBody.decode(Entity.self, from: WireCoding.encode(fields), fields: Entity.fields)
        }
    }

    /// A field that has a value although it was cleared stands for itself alone: it cannot be empty.
    private func checkCleared(_ changes: [String: JSONValue], in entity: Entity) throws {
        let cleared = Entity.fields.filter { $0 != "id" && changes[$0] == .null }
        if cleared.isEmpty { return }
        let fields = try WireCoding.fields(of: entity)
        let errors = cleared.filter { (fields[$0] ?? .null) != .null }
            .map { FieldError(field: $0, message: "cannot be cleared", code: "required") }
        if !errors.isEmpty { throw ValidationError(entityType: Entity.entityType, fields: errors) }
    }

    /// Whether a value is that id, in either case.
    private static func names(_ value: JSONValue, _ id: String) -> Bool {
        guard let text = value.stringValue else { return false }
        return text == id || UUIDv7(text)?.description == id
    }

    func clearing(_ fields: Set<String>, in document: Data) throws -> PreparedRecord {
        let entity = try WireCoding.decode(Entity.self, from: document)
        let patch = Patch<Entity>(changes: Dictionary(fields.map { ($0, .null) }, uniquingKeysWith: { $1 }))
        return try encoded(patch.applied(to: entity))
    }

    func renamed(_ record: PreparedRecord, to id: String) throws -> PreparedRecord {
        var entity = try WireCoding.decode(Entity.self, from: record.json)
        entity.id = id
        return try encoded(entity)
    }

    func references(in document: Data) throws -> [RecordIndex.Reference] {
        Entity.parents.isEmpty ? [] : Self.references(in: try JSONValue(parsing: document).objectValue ?? [:])
    }

    private static func references(in fields: [String: JSONValue]) -> [RecordIndex.Reference] {
        Entity.parents.compactMap { parent in
            fields[parent.field]?.stringValue.map {
                RecordIndex.Reference(field: parent.field, parent: RecordKey(parent.entityType, $0))
            }
        }
    }

    /// Checks a record that a client has written, and puts its ids in lower case: an id is the same in either (RFC 9562,
    /// section 4).
    private func prepare(_ given: Entity) throws -> PreparedRecord {
        guard let id = UUIDv7(given.id) else {
            throw ServerProblem.field("id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
        }
        try given.validate()
        var prepared = try encoded(given)
        var plain: [String: JSONValue] = id.description == given.id ? [:] : ["id": .string(id.description)]
        for reference in prepared.index.references {
            guard let id = UUIDv7(reference.parent.id)?.description, id != reference.parent.id else { continue }
            plain[reference.field] = .string(id)
        }
        if !plain.isEmpty {
            let fields = try WireCoding.fields(of: given).merging(plain) { $1 }
            prepared = try encoded(WireCoding.value(Entity.self, from: fields))
        }
        return prepared
    }

    private func encoded(_ entity: Entity) throws -> PreparedRecord {
        do {
            let fields = try WireCoding.fields(of: entity)
            let index = RecordIndex(
                order: rules.order(entity), naturalKey: try Self.naturalKey(in: fields),
                upsertKey: rules.upsertKey(entity), isActive: rules.isActive(entity),
                references: Self.references(in: fields))
            return PreparedRecord(id: entity.id, json: try WireCoding.encode(fields), index: index)
        } catch let error as EncodingError {
            throw ServerProblem(.validation, "the record cannot be written as JSON: \(error)")
        }
    }

    /// The values of the natural key as one text; nil where one of them is missing.
    private static func naturalKey(in fields: [String: JSONValue]) throws -> String? {
        let values = try Entity.naturalKey.compactMap { name -> String? in
            switch fields[name] ?? .null {
            case .null: nil
            case .string(let text): text
            case let value: try WireCoding.encode([value]).text
            }
        }
        guard values.count == Entity.naturalKey.count, !values.isEmpty else { return nil }
        return values.count == 1 ? values[0] : "[" + values.map(JSONText.quoted).joined(separator: ",") + "]"
    }
}

extension [String: JSONValue] {
    /// Whether both have the same members; a member that is null is none.
    fileprivate func isEqual(to other: Self) -> Bool { filter { $1 != .null } == other.filter { $1 != .null } }
}

extension JSONValue {
    /// A map after a patch of its keys: null takes a key out, any other value takes the place of what was there. Null in
    /// place of the patch takes all of them out.
    fileprivate func merging(_ patch: JSONValue) -> JSONValue {
        if patch == .null { return .object([:]) }
        guard case .object(let changes) = patch else { return patch }
        return .object((objectValue ?? [:]).merging(changes) { $1 }.filter { $1 != .null })
    }
}
