import Foundation
import TrendyDomain

/// Finds the record on the server that a refused new one duplicates.
struct DuplicateFinder<Entity: SyncEntity> {
    let cycle: SyncCycle

    /// The record that the new one stands for: equal in the natural key of its kind, or in everything but
    /// the id where the kind has none. Nil where there is none.
    ///
    /// - Throws: ``Refusal`` where the server does not say.
    func twin(of entity: Entity) async throws -> Remote<Entity>? {
        let client = cycle.networkClient
        switch client.capabilities(of: Entity.entityType).listing {
        case .whole:
            return try await find(entity, in: ListRequest(limit: .max))
        case .perParent(let parent):
            let field = Entity.parents.first { $0.entityType == parent }?.field
            let parentId = try field.flatMap { try StringFields.of(entity)[$0] }
            return try await find(entity, in: ListRequest(limit: .max, parentId: parentId))
        case .paged:
            return try findHere(entity)
        }
    }

    /// Lists the values of the new record that the surviving one does not have, so that they can be restored.
    func listLosses(of entity: Entity, to survivor: Remote<Entity>, in store: any DataStoreProtocol) throws {
        let ours = try WireCoding.fields(of: entity)
        let theirs = try WireCoding.fields(of: survivor.entity)
        for field in Entity.fields where field != "id" && ours[field] != theirs[field] {
            try store.putDocument(
                SyncConflict(
                    id: cycle.identifiers.makeId(), kind: .field, entityType: Entity.entityType,
                    entityId: survivor.id, field: field, localValue: theirs[field] ?? .null,
                    remoteValue: ours[field] ?? .null, losingSide: .here, detectedAt: cycle.wallClock.now()))
        }
    }

    private func find(_ entity: Entity, in request: ListRequest) async throws -> Remote<Entity>? {
        let client = cycle.networkClient
        switch try await cycle.send({ try await client.list(Entity.self, request) }) {
        case .success(let page): return try page.records.first { try isTwin($0.entity, of: entity) }
        case .failure(let refusal): throw refusal
        }
    }

    /// Large kinds are not listed for this: the pull brings the record, and the next cycle finds it here.
    private func findHere(_ entity: Entity) throws -> Remote<Entity>? {
        guard let reference = Entity.parents.first,
            let parentId = try StringFields.of(entity)[reference.field]
        else { return nil }
        let condition = FieldCondition(reference.field, equals: parentId)
        let candidates = try cycle.read { try $0.fetch(Entity.self, where: condition) }
        return try candidates.first { try $0.syncStatus == .synced && isTwin($0.entity, of: entity) }
            .map { Remote($0.entity, server: $0.server) }
    }

    private func isTwin(_ candidate: Entity, of entity: Entity) throws -> Bool {
        guard candidate.id != entity.id else { return false }
        if Entity.naturalKey.isEmpty {
            var renamed = candidate
            renamed.id = entity.id
            return renamed == entity
        }
        let ours = try WireCoding.fields(of: entity)
        let theirs = try WireCoding.fields(of: candidate)
        return Entity.naturalKey.allSatisfy { ours[$0] == theirs[$0] }
    }
}
