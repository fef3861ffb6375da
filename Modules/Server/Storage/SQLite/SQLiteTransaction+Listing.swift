import Foundation
import GRDB
import TrendyDomain

extension SQLiteTransaction {
    func page(of entityType: EntityType, userId: String, _ query: RecordQuery) throws -> RecordPage {
        var conditions = ["record.user_id = ?", "record.entity_type = ?"]
        var arguments: StatementArguments = [userId, entityType.rawValue]
        var tables = "record"
        if let parent = query.parent {
            tables = "record_reference CROSS JOIN record ON record.id = record_reference.child_id"
            conditions += [
                "record_reference.parent_id = ?", "record_reference.field = ?", "record_reference.child_type = ?",
            ]
            arguments += [parent.parent.id, parent.field, entityType.rawValue]
        }
        if let isActive = query.isActive {
            conditions.append("record.is_active = ?")
            arguments += [isActive]
        }
        if let after = query.after {
            conditions.append("(record.sort_order, record.id) \(query.isDescending ? "<" : ">") (?, ?)")
            arguments += [after.order, after.id]
        }
        // A negative LIMIT is none. Rows that OFFSET passes over are counted in the index alone.
        arguments += [query.limit ?? -1, query.offset]
        let direction = query.isDescending ? "DESC" : "ASC"
        let sql = """
            SELECT record.document, record.sort_order, record.id FROM \(tables)
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY record.sort_order \(direction), record.id \(direction) LIMIT ? OFFSET ?
            """
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var page = RecordPage(documents: [], end: nil)
        while let row = try rows.next() {
            page.documents.append(row[0])
            page.end = RecordPosition(order: row[1], id: row[2])
        }
        return page
    }
}
