import Foundation
import TrendyDomain

/// Queues a mutation whose payload comes from the caller, and changes the record accordingly.
struct QueuedPayload {
    let writer: RecordWriter

    func queue(
        _ type: any SyncEntity.Type, operation: MutationOperation, entityId: String, payload: Data
    ) throws -> PendingMutation? {
        try queue(as: type, operation, entityId, payload)
    }

    private func queue<Entity: SyncEntity>(
        as type: Entity.Type, _ operation: MutationOperation, _ id: String, _ payload: Data
    ) throws -> PendingMutation? {
        switch operation {
        case .create:
            let entity = try decode(Entity.self, from: payload)
            guard entity.id == id else { throw SyncEngineError.invalidPayload("its id is not \(id)") }
            return try writer.create(entity)
        case .update:
            let patch = try decode(Patch<Entity>.self, from: payload)
            try writer.store.begin()
            guard let record = try writer.store.find(type, id: id) else {
                throw SyncEngineError.notFound(entityType: Entity.entityType, id: id)
            }
            let edited: Entity
            do { edited = try patch.applied(to: record.entity) } catch {
                throw SyncEngineError.invalidPayload("\(error)")
            }
            return try writer.update(edited)
        case .delete:
            return try writer.delete(type, id: id)
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from payload: Data) throws -> Value {
        do {
            return try WireCoding.decode(type, from: payload)
        } catch {
            throw SyncEngineError.invalidPayload("\(error)")
        }
    }
}
