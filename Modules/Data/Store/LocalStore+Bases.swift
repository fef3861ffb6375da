import Foundation
import GRDB
import TrendyDomain

extension LocalStore {
    func bases(_ entityType: EntityType, ids: [String]) throws -> [String: RecordBase] {
        guard try hasBases(entityType) else { return [:] }
        let sql = """
            SELECT id, document, is_deleted, revision, created_revision FROM sync_base
            WHERE entity_type = ? AND id IN \(StoredId.list())
            """
        let arguments = [entityType.rawValue.databaseValue, try Self.jsonList(ids)]
        return try read { database in
            var bases: [String: RecordBase] = [:]
            let statement = try database.prepared(sql, arguments)
            try statement.forEach {
                let base = try Self.base(entityType, statement)
                bases[base.id] = base
            }
            return bases
        }
    }

    func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String] {
        let sql = """
            SELECT id FROM sync_base
            WHERE entity_type = ?1 AND json_extract(document, ?2) = ?3
                AND json_type(document, ?2) = 'text'
            ORDER BY id
            """
        let arguments = [
            entityType.rawValue.databaseValue, "$.\"\(condition.field)\"".databaseValue, condition.value.databaseValue,
        ]
        return try read { try $0.prepared(sql, arguments).fetchIds() }
    }

    func putBases(_ bases: [RecordBase]) throws {
        let rows = try bases.map(Self.values)
        try write { database in
            for row in rows {
                try database.run(
                    """
                    INSERT OR REPLACE INTO sync_base
                        (entity_type, id, document, is_deleted, revision, created_revision) VALUES (?, ?, ?, ?, ?, ?)
                    """, row)
            }
        }
    }

    func deleteBases(_ entityType: EntityType, ids: [String]) throws {
        guard try hasBases(entityType) else { return }
        let arguments = [entityType.rawValue.databaseValue, try Self.jsonList(ids)]
        try write { database in
            try database.run("DELETE FROM sync_base WHERE entity_type = ? AND id IN \(StoredId.list())", arguments)
        }
    }

    /// Whether a kind has bases at all. Mostly it has none, and then no id has to be looked up.
    private func hasBases(_ entityType: EntityType) throws -> Bool {
        let sql = "SELECT 1 FROM sync_base WHERE entity_type = ? LIMIT 1"
        return try read { try $0.prepared(sql, [entityType.rawValue.databaseValue]).first { true } ?? false }
    }

    private static func values(_ base: RecordBase) throws(StoreError) -> [DatabaseValue] {
        let document: DatabaseValue
        do {
            document = try base.document.map { try EncodedJSON(part: $0).text().databaseValue } ?? .null
        } catch {
            throw .failed(
                "the base of the \(base.entityType.displayName) \(base.id) cannot be stored: \(codingReason(error))")
        }
        return [
            base.entityType.rawValue.databaseValue, StoredId.value(base.id), document, base.isDeleted.databaseValue,
            base.revision.databaseValue, base.createdRevision.databaseValue,
        ]
    }

    /// Reads the row that a statement stands on.
    private static func base(_ entityType: EntityType, _ statement: Statement) throws(StoreError) -> RecordBase {
        let id = StoredId.text(statement.column(0)) ?? "?"
        do {
            let document = try statement.column(1).text.map {
                try WireCoding.decode([String: JSONValue].self, from: Data($0.utf8))
            }
            return RecordBase(
                entityType, id: id, document: document, isDeleted: statement.column(2) == true.databaseValue,
                revision: statement.column(3).revision, createdRevision: statement.column(4).revision)
        } catch {
            throw .unreadableRecord(entityType: entityType, id: id, reason: "its base: \(codingReason(error))")
        }
    }
}
