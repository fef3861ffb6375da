import GRDB
import TrendyDomain

extension LocalStore {
    func find<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> LocalRecord<Entity>? {
        let table = try table(of: type)
        return try read { try table.firstRecord(type, $0.prepared(table.find, [StoredId.value(id)])) }
    }

    func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, where condition: FieldCondition?
    ) throws -> [LocalRecord<Entity>] {
        let table = try table(of: type)
        var sql = table.fetchAll + " ORDER BY id"
        var arguments: [DatabaseValue] = []
        if let condition {
            arguments = [try table.value(for: condition)]
            sql = table.fetch(where: condition.field)
        }
        return try read { database in
            var records: [LocalRecord<Entity>] = []
            try table.forEachRecord(type, database.prepared(sql, arguments)) { records.append($0) }
            return records
        }
    }

    func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, after id: String?, limit: Int
    ) throws -> [LocalRecord<Entity>] {
        let table = try table(of: type)
        let sql = RecordTable.page(of: table.fetchAll, after: id)
        return try read { database in
            var records: [LocalRecord<Entity>] = []
            try table.forEachRecord(type, database.prepared(sql, Self.page(id, limit))) { records.append($0) }
            return records
        }
    }

    private static func page(_ id: String?, _ limit: Int) -> [DatabaseValue] {
        (id.map { [StoredId.value($0)] } ?? []) + [max(0, limit).databaseValue]
    }

    func count<Entity: SyncEntity>(_ type: Entity.Type) throws -> Int {
        let table = try table(of: type)
        return try read { try Int.fetchOne($0.prepared(table.count)) ?? 0 }
    }

    func upsert<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws {
        let table = try table(of: Entity.self)
        let values = try table.values(record)
        try write { database in
            // Usually a server's answer is the record as it was sent.
            if record.syncStatus == .synced {
                try database.run(table.upsertEqual, values)
                if database.changesCount > 0 { return }
            }
            try Self.put([values], into: table, database)
        }
    }

    @discardableResult
    func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Bool {
        let table = try table(of: type)
        return try write { database in
            try database.run(table.delete, [StoredId.value(id)])
            return database.changesCount > 0
        }
    }

    func deleteAll<Entity: SyncEntity>(_ type: Entity.Type) throws {
        let table = try table(of: type)
        try write { try $0.run(table.deleteAll) }
    }

    func setSyncStatus<Entity: SyncEntity>(_ type: Entity.Type, id: String, _ status: SyncStatus) throws {
        let table = try table(of: type)
        try write { try $0.run(table.setSyncStatus, [status.rawValue.databaseValue, StoredId.value(id)]) }
    }
}

extension LocalStore {
    /// The strings as one argument for `json_each`, which takes any number of them.
    static func jsonList(_ strings: some Collection<String>) throws(StoreError) -> DatabaseValue {
        do {
            return try EncodedJSON(part: Array(strings)).text().databaseValue
        } catch {
            throw .failed("a list of \(strings.count) texts cannot be written as JSON: \(error)")
        }
    }
}
