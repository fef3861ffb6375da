import Foundation
import GRDB
import TrendyDomain

extension SQLiteTransaction {
    func record(_ key: RecordKey) throws -> StoredRecord? {
        let row = try row(
            """
            SELECT user_id, document, created_at, updated_at, revision, created_revision FROM record
            WHERE id = ? AND entity_type = ?
            """, [key.id, key.entityType.rawValue])
        return row.map { row in
            StoredRecord(
                key: key, userId: row[0], document: row[1], createdAt: Timestamp(milliseconds: row[2]),
                updatedAt: Timestamp(milliseconds: row[3]), revision: row[4], createdRevision: row[5])
        }
    }

    func owner(of key: RecordKey) throws -> String? {
        try value(
            String.self, "SELECT user_id FROM record WHERE id = ? AND entity_type = ?",
            [key.id, key.entityType.rawValue])
    }

    func recordId(of entityType: EntityType, naturalKey: String, userId: String) throws -> String? {
        try value(
            String.self, "SELECT id FROM record WHERE user_id = ? AND entity_type = ? AND natural_key = ?",
            [userId, entityType.rawValue, naturalKey])
    }

    func recordId(of entityType: EntityType, upsertKey: String, userId: String) throws -> String? {
        try value(
            String.self,
            "SELECT id FROM record WHERE user_id = ? AND entity_type = ? AND upsert_key = ? ORDER BY id LIMIT 1",
            [userId, entityType.rawValue, upsertKey])
    }

    func insert(_ record: StoredRecord, index: RecordIndex) throws {
        try execute(
            """
            INSERT INTO record (entity_type, id, user_id, sort_order, natural_key, upsert_key, is_active,
                document, created_at, updated_at, revision, created_revision)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                record.key.entityType.rawValue, record.key.id, record.userId, index.order, index.naturalKey,
                index.upsertKey, index.isActive, record.document.text, record.createdAt.milliseconds,
                record.updatedAt.milliseconds, record.revision, record.createdRevision,
            ])
        for reference in index.references { try insert(reference, of: record.key) }
    }

    func update(_ record: StoredRecord, index: RecordIndex, replacing old: RecordIndex) throws {
        try execute(
            """
            UPDATE record SET sort_order = ?, natural_key = ?, upsert_key = ?, is_active = ?, document = ?,
                updated_at = ?, revision = ? WHERE id = ? AND entity_type = ?
            """,
            [
                index.order, index.naturalKey, index.upsertKey, index.isActive, record.document.text,
                record.updatedAt.milliseconds, record.revision, record.key.id, record.key.entityType.rawValue,
            ])
        guard index.references != old.references else { return }
        for reference in old.references { try delete(reference, of: record.key) }
        for reference in index.references { try insert(reference, of: record.key) }
    }

    func delete(_ key: RecordKey, index: RecordIndex) throws {
        try execute("DELETE FROM record WHERE id = ? AND entity_type = ?", [key.id, key.entityType.rawValue])
        for reference in index.references { try delete(reference, of: key) }
    }

    func children(_ entityType: EntityType, of reference: RecordIndex.Reference) throws -> [String] {
        try values(
            String.self,
            """
            SELECT child_id FROM record_reference WHERE parent_id = ? AND child_type = ? AND field = ?
            ORDER BY child_id
            """,
            [reference.parent.id, entityType.rawValue, reference.field])
    }

    func counts(userId: String) throws -> [EntityType: Int] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT entity_type, count(*) FROM record WHERE user_id = ? GROUP BY entity_type"),
            arguments: [userId])
        return Dictionary(rows.map { (EntityType(rawValue: $0[0]), $0[1]) }, uniquingKeysWith: { $0 + $1 })
    }

    private func insert(_ reference: RecordIndex.Reference, of child: RecordKey) throws {
        try execute(
            "INSERT INTO record_reference (parent_id, child_type, field, child_id) VALUES (?, ?, ?, ?)",
            [reference.parent.id, child.entityType.rawValue, reference.field, child.id])
    }

    private func delete(_ reference: RecordIndex.Reference, of child: RecordKey) throws {
        try execute(
            """
            DELETE FROM record_reference WHERE parent_id = ? AND child_type = ? AND field = ? AND child_id = ?
            """,
            [reference.parent.id, child.entityType.rawValue, reference.field, child.id])
    }
}
