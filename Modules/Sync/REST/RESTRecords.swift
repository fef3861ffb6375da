import Foundation
import TrendyDomain

/// The routes of a server for records of any kind, with documents in place of Swift types.
struct RESTRecords: Sendable {
    let client: any NetworkClientProtocol

    /// What an answer to a batch says of each record that was sent, in their order.
    typealias BatchAnswer = [RecordDocument?]

    /// A part of a listing.
    struct Page: Sendable {
        var documents: [RecordDocument]
        /// What is no such record, as it came.
        var unusable: [JSONValue]
        var count: Int { documents.count + unusable.count }
    }

    func get<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) async throws -> RecordDocument? {
        guard let remote = try await client.get(type, id: id) else { return nil }
        return try Self.document(remote, as: id)
    }

    /// Makes a record. The answer may be about another one, which then stands for it.
    func create<Entity: SyncEntity>(_ type: Entity.Type, _ document: RecordDocument, key: String) async throws
        -> RecordDocument
    {
        let request = CreateRequest(try WireCoding.value(type, from: document))
        return try WireCoding.fields(of: await client.create(request, idempotencyKey: key))
    }

    func createBatch<Entity: SyncEntity>(_ type: Entity.Type, _ documents: [RecordDocument], key: String) async throws
        -> BatchAnswer
    {
        let requests = try documents.map { CreateRequest(try WireCoding.value(type, from: $0)) }
        let answer = try await client.createBatch(requests, idempotencyKey: key)
        let refused = Set(answer.errors.map(\.index))
        let created = Dictionary(answer.created.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return try requests.enumerated().map { index, request in
            guard !refused.contains(index), let remote = created[request.entity.id] else { return nil }
            return try WireCoding.fields(of: remote)
        }
    }

    func update<Entity: SyncEntity>(
        _ type: Entity.Type, _ id: String, _ changes: [String: JSONValue], key: String
    ) async throws -> RecordDocument {
        let remote = try await client.update(type, id: id, Patch(changes: changes), idempotencyKey: key)
        return try Self.document(remote, as: id)
    }

    func delete<Entity: SyncEntity>(_ type: Entity.Type, _ id: String, key: String) async throws {
        try await client.delete(type, id: id, idempotencyKey: key)
    }

    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> Page {
        let page = try await client.list(type, request)
        return Page(documents: try page.records.map { try WireCoding.fields(of: $0) }, unusable: page.undecodable)
    }

    /// Some servers write ids in capitals: RFC 9562 has readers of UUIDs ignore case. An answer about another record, as
    /// a proxy gives it that mixes its answers up, says nothing.
    private static func document<Entity: SyncEntity>(_ remote: Remote<Entity>, as id: String) throws -> RecordDocument {
        guard remote.id == id || remote.id.lowercased() == id.lowercased() else {
            throw APIError.malformedResponse("it is about \(remote.id), and \(id) was asked for")
        }
        var document = try WireCoding.fields(of: remote)
        document["id"] = .string(id)
        return document
    }
}

/// A kind of record as documents, which come in many forms from deployed servers and are compared in one.
struct RESTKind: Sendable {
    let type: any SyncEntity.Type
    let schema: EntitySchema

    init?(_ entityType: EntityType, in schema: EntitySchema) {
        guard let type = schema.type(for: entityType) else { return nil }
        self.type = type
        self.schema = schema
    }

    var entityType: EntityType { type.entityType }
    var fields: Set<String> { Set(type.fields) }

    /// The document in the form of the exact protocol: times in milliseconds, defaults filled in, no nulls. Fields that
    /// this version does not know stay, but for whole records that some servers embed.
    ///
    /// Nil where it is no record of the kind that can be used.
    func canonical(_ document: RecordDocument) -> RecordDocument? {
        guard var canonical = readFields(self.type, document) else { return nil }
        for (field, value) in document
        where value != .null && !fields.contains(field) && canonical[field] == nil && !RecordShape.isServers(field)
            && schema.type(for: EntityType(rawValue: field)) == nil
        {
            canonical[field] = value
        }
        return canonical
    }

    private func readFields<Entity: SyncEntity>(_ type: Entity.Type, _ document: RecordDocument) -> RecordDocument? {
        guard let remote = try? WireCoding.value(Remote<Entity>.self, from: document),
            (try? remote.entity.validateReceived()) != nil
        else { return nil }
        return try? WireCoding.fields(of: remote)
    }

    /// Whether two versions are one: equal in the fields that this version knows, and in the time of change.
    ///
    /// The time alone proves nothing, for a server's clock may stand still for two changes. Fields that are not known
    /// here do not come with every route.
    func isSame(_ left: RecordDocument, _ right: RecordDocument) -> Bool {
        guard let left = canonical(left), let right = canonical(right) else { return false }
        return left.updatedAt == right.updatedAt && type.fields.allSatisfy { left[$0] == right[$0] }
    }

    /// The records that a document names as its parents, by the fields that name them.
    func parents(of document: RecordDocument) -> [(field: String, key: RecordKey, onDelete: ParentReference.Deletion)] {
        type.parents.compactMap { reference in
            guard let id = document[reference.field]?.stringValue, schema.type(for: reference.entityType) != nil
            else { return nil }
            let key = RecordKey(entityType: reference.entityType, entityId: id)
            return (reference.field, key, reference.onDelete)
        }
    }

    /// Whether a server takes both for one thing: by the recognition key, by the natural key, or because they are equal
    /// in all but their ids.
    func isTwin(_ left: RecordDocument, _ right: RecordDocument) -> Bool {
        guard let left = canonical(left), let right = canonical(right), left["id"] != right["id"] else { return false }
        for key in [type.recognitionKey, type.naturalKey] where !key.isEmpty {
            if key.allSatisfy({ left[$0] != nil && left[$0] == right[$0] }) { return true }
        }
        return type.naturalKey.isEmpty && type.fields.allSatisfy { $0 == "id" || left[$0] == right[$0] }
    }
}

extension RecordShape {
    /// Whether a field is one that servers add to every record.
    static func isServers(_ field: String) -> Bool { ServerFields.CodingKeys(rawValue: field) != nil }
}

extension RecordDocument {
    var createdAt: Timestamp? { time(.createdAt) }
    var updatedAt: Timestamp? { time(.updatedAt) }

    private func time(_ field: ServerFields.CodingKeys) -> Timestamp? {
        self[field.rawValue]?.stringValue.flatMap(Timestamp.init)
    }

    /// What a server adds to a record.
    var serverFields: ServerFields {
        ServerFields(
            userId: self[ServerFields.CodingKeys.userId.rawValue]?.stringValue, createdAt: createdAt,
            updatedAt: updatedAt)
    }
}
