import TrendyDomain

extension InMemoryDataStore {
    func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>? {
        let stored = contents.records[try table(of: type)]?[id]
        return try stored.map { try Self.read(LocalRecord<Entity>.self, $0.record, type, id) }
    }

    func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition?
    ) throws -> [LocalRecord<Entity>] {
        let rows = contents.records[try table(of: type)] ?? [:]
        if let condition { try check(condition, of: Entity.entityType) }
        return
            try rows
            .filter { _, row in condition.map { row.strings[$0.field] == $0.value } ?? true }
            .sorted { IdOrder.precedes($0.key, $1.key) }
            .map { try Self.read(LocalRecord<Entity>.self, $0.value.record, type, $0.key) }
    }

    func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int {
        contents.records[try table(of: type)]?.count ?? 0
    }

    func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        let table = try table(of: Entity.self)
        let row = try Self.row(record)
        try write { $0.records[table, default: [:]][record.id] = row }
    }

    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool {
        let table = try table(of: type)
        return try write { $0.records[table]?.removeValue(forKey: id) != nil }
    }

    func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws {
        let table = try table(of: type)
        try write { $0.records[table] = nil }
    }

    func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws {
        let table = try table(of: type)
        try begin()
        guard var record = try find(type, id: id) else { return }
        record.syncStatus = status
        try write { $0.records[table]?[id]?.record = record }
    }

    static func row<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws(StoreError) -> InMemoryRecord {
        do {
            return InMemoryRecord(record: record, strings: try StringFields.of(record.entity))
        } catch {
            throw .failed("the \(Entity.entityType.displayName) \(record.id) cannot be stored: \(error)")
        }
    }

    /// Reads a value as the type that it was stored as; where another Swift type has the same kind, by its wire form.
    static func read<Value: Codable>(
        _ type: Value.Type, _ stored: any Sendable, _ entity: any SyncEntity.Type, _ id: String
    ) throws(StoreError) -> Value {
        if let value = stored as? Value { return value }
        do {
            guard let encodable = stored as? any Encodable else {
                throw StoreError.failed("it was stored as \(Swift.type(of: stored))")
            }
            return try WireCoding.decode(type, from: WireCoding.encode(encodable))
        } catch {
            throw .unreadableRecord(entityType: entity.entityType, id: id, reason: "\(error)")
        }
    }
}
