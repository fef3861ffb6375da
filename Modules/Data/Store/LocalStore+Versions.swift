import Foundation
import GRDB
import TrendyDomain

extension LocalStore {
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: LocalRecord<Entity>] {
        let table = try table(of: type)
        let list = try Self.jsonList(ids)
        return try read { database in
            var records: [String: LocalRecord<Entity>] = [:]
            try table.forEachRecord(type, database.prepared(table.findAmong, [list])) { records[$0.id] = $0 }
            return records
        }
    }

    func standings(_ entityType: EntityType, ids: [String]) throws -> [String: RecordStanding] {
        let table = try table(of: entityType)
        let list = try Self.jsonList(ids)
        return try read { database in
            var standings: [String: RecordStanding] = [:]
            let statement = try database.prepared(table.standings, [list])
            try statement.forEach {
                let id = StoredId.text(statement.column(0)) ?? "?"
                guard let status = statement.column(1).text.flatMap(SyncStatus.init) else {
                    throw StoreError.unreadableRecord(
                        entityType: entityType, id: id, reason: "its sync status is unknown")
                }
                standings[id] = RecordStanding(
                    syncStatus: status, revision: statement.column(2).revision,
                    createdRevision: statement.column(3).revision)
            }
            return standings
        }
    }

    func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String] {
        let table = try table(of: entityType)
        let arguments = [try table.value(for: condition), max(0, limit).databaseValue]
        let sql = "\(table.findIds) WHERE \(condition.field.quotedForSQL) = ? ORDER BY id LIMIT ?"
        return try read { try $0.prepared(sql, arguments).fetchIds() }
    }

    func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws {
        let table = try table(of: Entity.self)
        let rows = try records.map { try table.values($0) }
        try write { try Self.put(rows, into: table, $0) }
    }

    /// Inserts rows, each in place of the one with the same id.
    static func put(_ rows: [[DatabaseValue]], into table: RecordTable, _ database: Database) throws {
        let insert = try RowStatement(table.insert, database)
        var replace: RowStatement?
        var inserted = 0
        for row in rows {
            if try insert.insert(row) {
                inserted += 1
                continue
            }
            let statement = try replace ?? RowStatement(table.replace, database)
            try statement.run(row)
            replace = statement
        }
        try StoreCounts.add(inserted, of: table.entityType, database)
    }

    func delete(_ entityType: EntityType, ids: [String]) throws {
        let table = try table(of: entityType)
        let list = try Self.jsonList(ids)
        try write { try $0.run(table.deleteAmong, [list]) }
    }

    func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws {
        let table = try table(of: entityType)
        try write { database in
            let confirm = try RowStatement(table.confirm, database)
            for said in confirmations {
                try confirm.run(
                    [
                        StoredId.value(said.id), said.revision.databaseValue,
                        said.createdRevision?.databaseValue ?? .null,
                        said.server.createdAt?.milliseconds.databaseValue ?? .null,
                        said.server.updatedAt?.milliseconds.databaseValue ?? .null,
                    ])
            }
        }
    }

    func voidRevisions(keepingFormer: Bool) throws {
        let tables = try allTables()
        let sign = [(keepingFormer ? -1 : 0).databaseValue]
        try write { database in
            for table in tables { try database.run(table.voidRevisions, sign) }
            try database.run(
                """
                UPDATE sync_base SET revision = ?1 * abs(revision), created_revision = 0
                WHERE revision <> ?1 * abs(revision) OR created_revision <> 0
                """, sign)
        }
    }
}

// MARK: Marks

extension LocalStore {
    func mark(_ entityType: EntityType, ids: [String]) throws {
        let arguments = [entityType.rawValue.databaseValue, try Self.jsonList(ids)]
        try write { database in
            try database.run(
                "INSERT OR IGNORE INTO sync_mark (entity_type, id) SELECT ?, id FROM \(Self.listedIds)", arguments)
        }
    }

    func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String] {
        let table = RecordTable.name(of: try table(of: entityType).entityType).quotedForSQL
        let follows = id == nil ? "" : " AND id > ?3"
        let isUnmarked = { (table: String) in
            "NOT EXISTS (SELECT 1 FROM sync_mark WHERE entity_type = ?1 AND sync_mark.id = \(table).id)\(follows)"
        }
        // Both parts come in the order of ids, so that SQLite merges them and stops at the limit.
        let sql = """
            SELECT id FROM \(table) WHERE \(isUnmarked(table))
            UNION SELECT id FROM sync_base WHERE entity_type = ?1 AND \(isUnmarked("sync_base"))
            ORDER BY id LIMIT ?2
            """
        let arguments = [entityType.rawValue.databaseValue, max(0, limit).databaseValue]
        return try read { try $0.prepared(sql, arguments + (id.map { [StoredId.value($0)] } ?? [])).fetchIds() }
    }

    func clearMarks() throws {
        try write { try $0.run("DELETE FROM sync_mark") }
    }

    private static let listedIds = "(SELECT trendy_id(value) AS id FROM json_each(?))"
}

extension Statement {
    /// The value of a column in the row that the statement stands on.
    func column(_ index: CInt) -> DatabaseValue {
        DatabaseValue(sqliteStatement: sqliteStatement, index: index)
    }
}

extension DatabaseValue {
    /// The revision that the column holds, 0 where there is none.
    var revision: Int64 { Int64.fromDatabaseValue(self) ?? 0 }
}
