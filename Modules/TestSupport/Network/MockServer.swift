import TrendyDomain

/// The memory and the rules of a small server, without anything of HTTP but its errors.
struct MockServer: Sendable {
    typealias Fields = [String: JSONValue]

    private struct StoredReply: Sendable {
        let scope: String
        let request: JSONValue
        let answer: JSONValue
    }

    /// The kinds of record that it keeps.
    let schema: EntitySchema
    /// The records of each kind, by id.
    private(set) var records: [EntityType: [String: Fields]] = [:]
    /// The change feed, in ascending order of its ids.
    var feed: [ChangeEntry] = []
    var nextChangeId: Int64 = 1
    private var replies: [String: StoredReply] = [:]

    /// Whether two names are the same only where they are spelt alike, as on deployed servers.
    private let comparesSpelling: Bool

    init(schema: EntitySchema, comparesSpelling: Bool) {
        self.schema = schema
        self.comparesSpelling = comparesSpelling
    }

    // MARK: Records

    /// Gives the newest change another place in the feed.
    mutating func moveNewestChange(to place: Int64) {
        guard var newest = feed.popLast() else { return }
        newest.id = place
        feed.append(newest)
        feed.sort { $0.id < $1.id }
    }

    func find(_ type: EntityType, _ id: String) -> Fields? { records[type]?[id] }

    /// All records of a kind: newest first where they have a timestamp, else in the order of their ids.
    func all(_ type: EntityType) -> [Fields] {
        (records[type] ?? [:]).values.sorted { left, right in
            let (a, b) = (left["timestamp"]?.stringValue ?? "", right["timestamp"]?.stringValue ?? "")
            if a != b { return a > b }
            return (left["id"]?.stringValue ?? "") < (right["id"]?.stringValue ?? "")
        }
    }

    /// Puts a record in as its kind's server route would, and logs the change.
    mutating func create<Entity: SyncEntity>(_ entity: Entity, at now: Timestamp) throws -> Fields {
        try check(entity)
        var entity = entity
        if let twin = try sampleTwin(of: entity) { entity.id = twin }
        return try put(entity, at: now)
    }

    /// Applies a patch to a record and logs the change.
    mutating func update<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ patch: Patch<Entity>, at now: Timestamp
    ) throws -> Fields {
        guard let fields = find(type.entityType, id) else { throw Self.notFound(type.entityType, id) }
        let updated: Entity
        do {
            updated = try patch.applied(to: WireCoding.value(Entity.self, from: fields))
        } catch is DecodingError {
            throw Self.refusal(400, "bad_request", "the patch does not fit the \(type.entityType.displayName)")
        }
        try check(updated)
        return try put(updated, at: now)
    }

    /// Deletes a record with what belongs to it, and logs each change.
    mutating func delete(_ type: EntityType, id: String, at now: Timestamp) throws {
        guard records[type]?.removeValue(forKey: id) != nil else { throw Self.notFound(type, id) }
        for child in schema.children(of: type) {
            let childType = child.type.entityType
            for record in all(childType) where record[child.reference.field] == .string(id) {
                guard let childId = record["id"]?.stringValue else { continue }
                switch child.reference.onDelete {
                case .cascade: try delete(childType, id: childId, at: now)
                case .clear:
                    var cleared = record
                    cleared[child.reference.field] = nil
                    store(childType, childId, cleared, .update, at: now)
                }
            }
        }
        log(type, .delete, id, data: nil, at: now)
    }

    private mutating func put<Entity: SyncEntity>(_ entity: Entity, at now: Timestamp) throws -> Fields {
        let existing = find(Entity.entityType, entity.id)
        var fields = try WireCoding.fields(of: entity)
        fields["created_at"] = existing?["created_at"] ?? .string(now.description)
        return store(Entity.entityType, entity.id, fields, existing == nil ? .create : .update, at: now)
    }

    @discardableResult
    private mutating func store(
        _ type: EntityType, _ id: String, _ fields: Fields, _ operation: ChangeOperation, at now: Timestamp
    ) -> Fields {
        var fields = fields
        fields["user_id"] = "user"
        fields["updated_at"] = .string(now.description)
        records[type, default: [:]][id] = fields
        log(type, operation, id, data: .object(fields), at: now)
        return fields
    }

    private mutating func log(
        _ type: EntityType, _ operation: ChangeOperation, _ id: String, data: JSONValue?, at now: Timestamp
    ) {
        feed.append(
            ChangeEntry(
                id: nextChangeId, entityType: type, operation: operation, entityId: id, data: data,
                deletedAt: operation == .delete ? now : nil, createdAt: now))
        nextChangeId += 1
    }

    // MARK: Idempotency

    /// The answer that was given under the key before.
    func reply(key: String?, scope: String, request: JSONValue) throws -> JSONValue? {
        guard let key, let stored = replies[key] else { return nil }
        guard stored.scope == scope, stored.request == request else {
            throw Self.refusal(422, "validation", "the idempotency key was used for another request")
        }
        return stored.answer
    }

    mutating func forgetReplies() { replies = [:] }

    mutating func keepReply(_ answer: JSONValue, key: String?, scope: String, request: JSONValue) {
        if let key { replies[key] = StoredReply(scope: scope, request: request, answer: answer) }
    }
}

// MARK: Rules

extension MockServer {
    private func check<Entity: SyncEntity>(_ entity: Entity) throws {
        do {
            try entity.validate()
        } catch let error as ValidationError {
            throw Self.refusal(400, "validation", "validation failed", fields: error.fields)
        }
        let fields = try WireCoding.fields(of: entity)
        for parent in Entity.parents where schema.type(for: parent.entityType) != nil {
            guard let id = fields[parent.field]?.stringValue, find(parent.entityType, id) == nil else { continue }
            let wrong = FieldError(
                field: parent.field, message: "names no \(parent.entityType.displayName)", code: "unknown")
            throw Self.refusal(400, "validation", "validation failed", fields: [wrong])
        }
        try checkNaturalKey(of: entity, fields)
    }

    /// A record keeps a key that it has already.
    private func checkNaturalKey<Entity: SyncEntity>(of entity: Entity, _ fields: Fields) throws {
        let present = records[Entity.entityType] ?? [:]
        guard let key = NaturalKey(of: Entity.self, in: fields),
            comparesSpelling || key != present[entity.id].flatMap({ NaturalKey(of: Entity.self, in: $0) })
        else { return }
        let isTaken = present.contains { id, other in
            id != entity.id && NaturalKey(of: Entity.self, in: other) == key
                && (!comparesSpelling || Entity.naturalKey.allSatisfy { other[$0] == fields[$0] })
        }
        guard !isTaken else {
            let names = Entity.naturalKey.joined(separator: " and ")
            throw Self.refusal(409, "conflict", "another \(Entity.entityType.displayName) has that \(names)")
        }
    }

    /// The record that stands for the same HealthKit sample already.
    private func sampleTwin<Entity: SyncEntity>(of entity: Entity) throws -> String? {
        guard let event = entity as? Event, event.sourceType == .healthKit, let sample = event.healthKitSampleId
        else { return nil }
        let field = Event.CodingKeys.healthKitSampleId.stringValue
        return records[.event]?.first { $0.value[field] == .string(sample) }?.key
    }

    static func notFound(_ type: EntityType, _ id: String) -> APIError {
        refusal(404, "not_found", "there is no \(type.displayName) \(id)")
    }

    static func refusal(_ status: Int, _ type: String, _ detail: String, fields: [FieldError]? = nil) -> APIError {
        .http(
            status: status,
            problem: ProblemDetails(
                type: "urn:trendy:error:\(type)", title: type, status: status, detail: detail, errors: fields))
    }
}
