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
            return try await find(entity)
        case .perParent(let parent):
            let field = Entity.parents.first { $0.entityType == parent }?.field
            let parentId = try field.flatMap { try StringFields.of(entity)[$0] }
            return try await find(entity, beneath: parentId)
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

    /// Whether the twin of a new record may be in the part of the feed that this device has not read.
    ///
    /// Kinds that come in pages are not listed for it; the pull brings it, and the next cycle finds it here. So it is
    /// waited for, though not for ever: others may be writing all the time.
    func mayStillCome(for mutation: PendingMutation) async throws -> Bool {
        let client = cycle.networkClient
        guard case .paged = client.capabilities(of: Entity.entityType).listing,
            mutation.attempts < cycle.configuration.blameLimit
        else { return false }
        guard let read = try cycle.read({ try $0.cursor() }) else { return true }
        switch try await cycle.send({ try await client.getLatestCursor() }) {
        case .success(let latest): return latest > read
        case .failure: return true
        }
    }

    private func find(_ entity: Entity, beneath parentId: String? = nil) async throws -> Remote<Entity>? {
        var twin: Remote<Entity>?
        var looked = 0
        _ = try await WholeListing<Entity>(cycle: cycle).read(beneath: parentId) { listed in
            // After rows that moved up the listing begins anew.
            twin = try listed.records.dropFirst(listed.records.count < looked ? 0 : looked)
                .first { try isTwin($0.entity, of: entity) }
            looked = listed.records.count
            return twin != nil
        }
        return twin
    }

    /// Looks among the records that the pull has brought, for kinds that are too large to be listed for this.
    private func findHere(_ entity: Entity) throws -> Remote<Entity>? {
        try cycle.read { store in
            if let condition = try condition(for: entity) {
                return try store.fetch(Entity.self, where: condition).first { try isTwin($0, of: entity) }
            }
            var last: String?
            while true {
                let page = try store.fetch(Entity.self, after: last, limit: Self.pageSize)
                if let twin = try page.first(where: { try isTwin($0, of: entity) }) { return twin }
                guard page.count == Self.pageSize else { return nil }
                last = page.last?.id
            }
        }
        .map { Remote($0.entity, server: $0.server) }
    }

    private static var pageSize: Int { 1_000 }

    /// What a twin must have, as far as a store can be asked for it: a part of the natural key, or the parent where the
    /// kind has no such key.
    private func condition(for entity: Entity) throws -> FieldCondition? {
        let fields = Entity.naturalKey.isEmpty ? Entity.parents.prefix(1).map(\.field) : Entity.naturalKey
        let values = try StringFields.of(entity)
        return fields.lazy.compactMap { field in values[field].map { FieldCondition(field, equals: $0) } }.first
    }

    private func isTwin(_ candidate: LocalRecord<Entity>, of entity: Entity) throws -> Bool {
        try candidate.syncStatus == .synced && isTwin(candidate.entity, of: entity)
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
