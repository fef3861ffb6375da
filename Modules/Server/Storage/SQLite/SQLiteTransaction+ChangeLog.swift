import Foundation
import GRDB
import TrendyDomain

extension SQLiteTransaction {
    func append(_ change: NewChange) throws {
        try execute(
            """
            INSERT INTO change_log (user_id, entity_type, entity_id, operation, data, created_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                change.userId, change.key.entityType.rawValue, change.key.id, change.operation.rawValue,
                change.document?.text, change.at.milliseconds,
            ])
    }

    func changes(userId: String, since cursor: Int64, limit: Int) throws -> [LoggedChange] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT id, entity_type, entity_id, operation, data, created_at FROM change_log
                    WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?
                    """),
            arguments: [userId, cursor, limit])
        var changes: [LoggedChange] = []
        while let row = try rows.next() {
            changes.append(
                LoggedChange(
                    id: row[0], key: RecordKey(EntityType(rawValue: row[1]), row[2]),
                    operation: ChangeOperation(rawValue: row[3]), document: row[4],
                    at: Timestamp(milliseconds: row[5])))
        }
        return changes
    }

    func latestCursor(userId: String) throws -> Int64 {
        try value(Int64.self, "SELECT max(id) FROM change_log WHERE user_id = ?", [userId]) ?? 0
    }
}
