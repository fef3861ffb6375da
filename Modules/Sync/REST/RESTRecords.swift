import Foundation
import TrendyDomain

/// The older routes for records of any kind, with documents in place of Swift types.
struct RESTRecords: Sendable {
    let client: any NetworkClientProtocol
    /// Asked before each request.
    let permit: @Sendable () throws -> Void

    func get<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) async throws -> RecordDocument? {
        try await client.get(type, id: id).map { try Self.document($0, as: id) }
    }

    /// Makes a record. The answer may show another record, which stands for it then.
    func create<Entity: SyncEntity>(
        _ type: Entity.Type, _ document: RecordDocument, key: String
    ) async throws -> RecordDocument {
        let request = CreateRequest(try WireCoding.value(type, from: document))
        return try WireCoding.fields(of: await client.create(request, idempotencyKey: key))
    }

    /// Makes many records. Returns the answer for each, in their order.
    func createBatch<Entity: SyncEntity>(
        _ type: Entity.Type, _ documents: [RecordDocument], key: String
    ) async throws -> [RecordDocument?] {
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
        try Self.document(await client.update(type, id: id, Patch(changes: changes), idempotencyKey: key), as: id)
    }

    /// Returns whether the answer repeats an earlier one.
    func delete<Entity: SyncEntity>(_ type: Entity.Type, _ id: String, key: String) async throws -> Bool {
        try await client.delete(type, id: id, idempotencyKey: key)
    }

    func list<Entity: SyncEntity>(_ type: Entity.Type, _ request: ListRequest) async throws -> RESTPage {
        let page = try await client.list(type, request)
        let documents = page.records.map { RESTKind.canonical($0) }
        let misfits = try zip(page.records, documents).filter { $1 == nil }.map { try WireCoding.fields(of: $0.0) }
        return RESTPage(
            documents: documents.compactMap(\.self), unusable: page.undecodable + misfits.map { .object($0) })
    }

    /// The record of an answer in canonical form. Some servers write ids in capitals, and RFC 9562 lets readers of
    /// UUIDs ignore case. An answer about another record, as from a proxy that mixes answers up, is an error.
    private static func document<Entity: SyncEntity>(_ remote: Remote<Entity>, as id: String) throws -> RecordDocument {
        guard remote.id.lowercased() == id.lowercased(), var document = RESTKind.canonical(remote) else {
            throw APIError.malformedResponse("it is about \(remote.id), or no \(Entity.entityType.displayName) at all")
        }
        document["id"] = .string(id)
        return document
    }
}

/// A part of a listing.
struct RESTPage: Sendable {
    var documents: [RecordDocument] = []
    /// What is no such record, as it came.
    var unusable: [JSONValue] = []
    var count: Int { documents.count + unusable.count }
    /// Numbers for its elements, those that cannot be used first.
    var hashes: [UInt32] { unusable.map(\.shortHash) + documents.map { shortHash($0.id) } }
}
