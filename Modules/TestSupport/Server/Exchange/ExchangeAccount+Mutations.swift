import TrendyDomain

extension ExchangeAccount {
    private typealias Fields = [String: JSONValue]

    /// Carries out mutations in their order. One that is not accepted leaves no trace.
    mutating func carryOut(
        _ mutations: [SyncMutation], from cursor: ExchangeCursor?, _ schema: EntitySchema, at now: Timestamp
    ) -> [SyncResult] {
        var own: Set<ExchangeName> = []
        // A snapshot tells no changes, so a device has seen none before its end.
        var seen: Int64 = 0
        if case .changes(let revision)? = cursor { seen = revision }
        return mutations.map { mutation in
            let name = ExchangeName(mutation.entityType, mutation.entityId)
            if let kept = keys[mutation.key], kept.isOf(mutation) { return replay(kept, mutation.key) }
            if let errors = refused[name.id] {
                return SyncResult(
                    key: mutation.key, outcome: .rejected, message: "the server does not take it", errors: errors)
            }
            let isSeen = { (child: ExchangeName, revision: Int64) in revision <= seen || own.contains(child) }
            let result: SyncResult
            do {
                result = try carryOut(mutation, name, schema, at: now, isSeen: isSeen)
            } catch {
                let error = error as? ValidationError ?? Self.unreadable(name.entityType, error)
                result = SyncResult(
                    key: mutation.key, outcome: .rejected, message: "\(error)", errors: error.fields)
            }
            if result.outcome == .accepted {
                own.insert(name)
                keys[mutation.key] = KeptKey(of: mutation, revision: result.revision)
            }
            return result
        }
    }

    private func replay(_ kept: KeptKey, _ key: String) -> SyncResult {
        let record = records[kept.name].flatMap { $0.revision == kept.revision ? $0 : nil }
        var result = SyncResult(key: key, outcome: .accepted, revision: kept.revision, replayed: true)
        if kept.isUpdate, let record {
            (result.record, result.createdRevision) = (record.document, record.createdRevision)
        } else {
            result.server = record?.server
        }
        return result
    }

    private mutating func carryOut(
        _ mutation: SyncMutation, _ name: ExchangeName, _ schema: EntitySchema, at now: Timestamp,
        isSeen: (ExchangeName, Int64) -> Bool
    ) throws -> SyncResult {
        guard let type = schema.type(for: name.entityType) else {
            throw Self.wrong(name.entityType, "entity_type", "is no kind that this server keeps")
        }
        let sent = mutation.operation == .delete ? [:] : try Self.data(of: mutation, type)
        let present = records[name]
        func show(_ outcome: SyncOutcome, _ record: ExchangeRecord) -> SyncResult {
            SyncResult(
                key: mutation.key, outcome: outcome, revision: record.revision,
                createdRevision: record.createdRevision, record: record.document)
        }
        if mutation.operation == .create {
            let kept = try Self.checked(sent, type)
            if let present { return show(.exists, present) }
            if let tombstone = tombstones[name], tombstone != mutation.base {
                return SyncResult(key: mutation.key, outcome: .deleted, revision: tombstone)
            }
            if let blocked = blocked(kept, mutation, type) { return blocked }
            if let other = twin(of: kept, type, name), let record = records[other] {
                return show(.duplicate, record)
            }
            return accept(kept, asSent: sent, mutation, name, at: now)
        }
        guard let present else {
            return SyncResult(key: mutation.key, outcome: .deleted, revision: tombstones[name] ?? 0)
        }
        if present.revision != mutation.base { return show(.stale, present) }
        if mutation.operation == .delete {
            let children = dependents(of: name, schema)
            guard children.allSatisfy({ isSeen($0, records[$0]?.revision ?? 0) }) else { return show(.stale, present) }
            delete(name, schema, at: now)
            return SyncResult(key: mutation.key, outcome: .accepted, revision: head)
        }
        let merged = Self.merge(sent, into: present.fields, type)
        let kept = try Self.checked(merged, type)
        try Self.checkCleared(sent, kept, type)
        if let blocked = blocked(kept, mutation, type) { return blocked }
        // A record keeps a name that it has already.
        if twin(of: kept, type, name, unless: { type.isSame($0, present.fields) }) != nil {
            let field = (type.naturalKey + type.recognitionKey).last ?? ""
            throw Self.wrong(name.entityType, field, "is taken by another record", code: "duplicate")
        }
        return accept(kept, asSent: merged, mutation, name, at: now)
    }

    private mutating func accept(
        _ kept: Fields, asSent sent: Fields, _ mutation: SyncMutation, _ name: ExchangeName, at now: Timestamp
    ) -> SyncResult {
        store(kept, as: name, at: now)
        let record = records[name]
        var result = SyncResult(key: mutation.key, outcome: .accepted, revision: record?.revision ?? head)
        if kept == sent {
            result.server = record?.server
        } else {
            result.record = record?.document
            result.createdRevision = record?.createdRevision
        }
        return result
    }
}

// MARK: Rules

extension ExchangeAccount {
    private static func wrong(
        _ type: EntityType, _ field: String, _ message: String, code: String = "invalid"
    ) -> ValidationError {
        ValidationError(entityType: type, fields: [FieldError(field: field, message: message, code: code)])
    }

    /// A record whose JSON does not fit its kind.
    private static func unreadable(_ type: EntityType, _ error: any Error) -> ValidationError {
        let path: [any CodingKey] =
            switch error as? DecodingError {
            case .keyNotFound(let key, let context)?: context.codingPath + [key]
            case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .dataCorrupted(let context)?:
                context.codingPath
            default: []
            }
        return wrong(type, path.first?.stringValue ?? "data", "does not fit")
    }

    /// The data of a mutation, without what is null in a create: that is a field without a value.
    private static func data(of mutation: SyncMutation, _ type: any SyncEntity.Type) throws -> Fields {
        guard var data = mutation.data?.objectValue else {
            throw wrong(type.entityType, "data", "is required", code: "required")
        }
        let unknown = data.filter { !type.fields.contains($0.key) && $0.value != .null }.keys.sorted()
        if !unknown.isEmpty {
            let errors = unknown.map {
                FieldError(field: $0, message: "is no field that this server keeps", code: "unknown_field")
            }
            throw ValidationError(entityType: type.entityType, fields: errors)
        }
        let isCreate = mutation.operation == .create
        guard data["id"] ?? (isCreate ? .null : .string(mutation.entityId)) == .string(mutation.entityId) else {
            throw wrong(type.entityType, "id", "differs from entity_id")
        }
        if isCreate { data = data.filter { $0.value != .null } }
        return data
    }

    /// A record as its kind writes it.
    private static func checked<Entity: SyncEntity>(_ fields: Fields, _ type: Entity.Type) throws -> Fields {
        let entity = try WireCoding.value(type, from: fields)
        try entity.validate()
        return try WireCoding.fields(of: entity).filter { $0.value != .null }
    }

    /// A field that has a value although it was cleared cannot be empty.
    private static func checkCleared(_ patch: Fields, _ kept: Fields, _ type: any SyncEntity.Type) throws {
        let wrong = patch.filter { $0.value == .null && kept[$0.key] != nil && !type.mapFields.contains($0.key) }
        guard wrong.isEmpty else {
            let errors = wrong.keys.sorted().map {
                FieldError(field: $0, message: "cannot be cleared", code: "required")
            }
            throw ValidationError(entityType: type.entityType, fields: errors)
        }
    }

    private static func merge(_ patch: Fields, into fields: Fields, _ type: any SyncEntity.Type) -> Fields {
        var merged = fields
        for (field, value) in patch {
            guard type.mapFields.contains(field) else {
                merged[field] = value == .null ? Optional.none : value
                continue
            }
            switch value {
            case .null: merged[field] = .object([:])
            case .object(let members):
                let all = (merged[field]?.objectValue ?? [:]).merging(members) { $1 }
                merged[field] = .object(all.filter { $0.value != .null })
            default: merged[field] = value
            }
        }
        return merged
    }

    /// The answer to a mutation whose parent is not there.
    private func blocked(_ fields: Fields, _ mutation: SyncMutation, _ type: any SyncEntity.Type) -> SyncResult? {
        let missing = type.parents.filter { parent in
            guard let id = fields[parent.field]?.stringValue else { return false }
            let name = ExchangeName(parent.entityType, id)
            return records[name] == nil && name != ExchangeName(mutation.entityType, mutation.entityId)
        }
        guard !missing.isEmpty else { return nil }
        let errors = missing.map {
            FieldError(
                field: $0.field, message: "names no \($0.entityType.displayName) that is here",
                code: "unknown_reference")
        }
        let message = errors.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
        return SyncResult(key: mutation.key, outcome: .blocked, message: message, errors: errors)
    }

    /// The other record that stands for the same thing; the oldest of several.
    private func twin(
        of fields: Fields, _ type: any SyncEntity.Type, _ name: ExchangeName,
        unless isKnown: (Fields) -> Bool = { _ in false }
    ) -> ExchangeName? {
        records.filter { other, record in
            other != name && other.entityType == name.entityType && type.isSame(record.fields, fields)
                && !isKnown(record.fields)
        }
        .min { $0.value.createdRevision < $1.value.createdRevision }?.key
    }
}
