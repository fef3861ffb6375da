import Foundation
import TrendyDomain

/// The codec of one Swift type.
struct EntityCodec<Entity: SyncEntity>: RecordCodec {
    let rules: RecordRules<Entity>

    func plain(_ body: Data) -> PreparedRecord? { rules.plainForm?.read(body) }

    func prepare(_ body: Data, beneath scope: ParentScope?) throws -> PreparedRecord {
        if scope == nil, let plain = plain(body) { return plain }
        var fields = try JSONBody.decode([String: JSONValue].self, from: body, fields: Entity.fields)
        if let scope {
            let given = fields[scope.field] ?? .null
            guard given == .null || Self.names(given, scope.parent.id) else {
                throw ServerProblem.field(scope.field, "differs from the id in the path")
            }
            fields[scope.field] = .string(scope.parent.id)
        }
        return try prepare(fields)
    }

    /// Checks a record that a client has written.
    private func prepare(
        _ fields: [String: JSONValue], subject: String = "the body", check: (Entity) throws -> Void = { _ in }
    ) throws -> PreparedRecord {
        try ServerProblem.reading {
            let entity: Entity
            do {
                entity = try WireCoding.value(Entity.self, from: fields)
            } catch is DecodingError {
                // It takes several passes over the record to say which field is wrong.
                let json = try WireCoding.encode(fields)
                entity = try JSONBody.decode(Entity.self, from: json, fields: Entity.fields, subject: subject)
            }
            try check(entity)
            guard let id = UUIDv7(entity.id) else {
                throw ServerProblem.field(
                    "id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
            }
            try entity.validate()
            var kept = try WireCoding.fields(of: entity)
            // An id is the same in either case (RFC 9562, section 4).
            var plain: [String: JSONValue] = ["id": .string(id.description)]
            for reference in Self.references(in: kept) {
                plain[reference.field] = UUIDv7(reference.parent.id).map { .string($0.description) }
            }
            kept.merge(plain) { $1 }
            var prepared = try encoded(entity, kept)
            prepared.isAsSent = kept.filter { $1 != .null } == fields.filter { $1 != .null }
            return prepared
        }
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
                let fields = try JSONBody.decode(
                    [String: JSONValue].self, from: body.part(range), fields: Entity.fields, subject: "the record")
                return .success(try prepare(fields, subject: "the record"))
            } catch {
                return .failure(
                    error as? ServerProblem ?? ServerProblem(.badRequest, "the record cannot be encoded: \(error)"))
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
        var fields = try WireCoding.decode([String: JSONValue].self, from: document)
        for (field, value) in changes {
            fields[field] = maps.contains(field) ? (fields[field] ?? .null).merging(value) : value
        }
        // A field that has a value although it was cleared stands for itself alone: it cannot be empty.
        let cleared = Entity.fields.filter { changes[$0] == .null && !maps.contains($0) }
        return try prepare(fields.filter { $0.value != .null }) { entity in
            let kept = cleared.isEmpty ? [:] : try WireCoding.fields(of: entity)
            let errors = cleared.filter { (kept[$0] ?? .null) != .null }
                .map { FieldError(field: $0, message: "cannot be cleared", code: "required") }
            if !errors.isEmpty { throw ValidationError(entityType: Entity.entityType, fields: errors) }
        }
    }

    /// Whether a value is that id, in either case.
    private static func names(_ value: JSONValue, _ id: String) -> Bool {
        guard let text = value.stringValue else { return false }
        return text == id || UUIDv7(text)?.description == id
    }

    func changed(_ document: Data, to changes: [String: JSONValue]) throws -> PreparedRecord {
        let fields = try WireCoding.decode([String: JSONValue].self, from: document).merging(changes) { $1 }
        let entity = try WireCoding.value(Entity.self, from: fields.filter { $1 != .null })
        return try encoded(entity, WireCoding.fields(of: entity))
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

    private func encoded(_ entity: Entity, _ fields: [String: JSONValue]) throws -> PreparedRecord {
        let index = RecordIndex(
            order: rules.order(entity), naturalKey: try Self.naturalKey(in: fields),
            upsertKey: rules.upsertKey(entity), isActive: rules.isActive(entity),
            references: Self.references(in: fields))
        return PreparedRecord(
            id: fields["id"]?.stringValue ?? entity.id, json: try WireCoding.encode(fields), index: index)
    }

    /// The natural key as one text; nil where one of its values is missing.
    private static func naturalKey(in fields: [String: JSONValue]) throws -> String? {
        guard let values = NaturalKey(of: Entity.self, in: fields)?.values else { return nil }
        if values.count == 1, let text = values[0].stringValue { return text }
        return String(decoding: try WireCoding.encode(values), as: UTF8.self)
    }
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
