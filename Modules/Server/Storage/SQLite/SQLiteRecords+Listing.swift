import Foundation
import GRDB
import TrendyDomain

extension SQLiteRecords {
    func changes(after revision: Int64, upTo last: Int64, limit: Int, byteLimit: Int) throws -> [StoredRecord] {
        let query = try RawStatement(
            """
            SELECT \(Self.columns), sort_order FROM record
            WHERE account = ? AND revision > ? AND revision <= ? ORDER BY revision LIMIT ?
            """, database)
        for (place, number) in zip(Int32(1)..., [account, revision, last, Int64(limit)]) { query.bind(place, number) }
        return try listed(query, upTo: byteLimit).map(\.record)
    }

    func page(
        of entityType: EntityType, _ query: RecordQuery, byteLimit: Int
    ) throws -> [(record: StoredRecord, order: Int64)] {
        var conditions = ["account = ?1", "entity_type = ?2", "document IS NOT NULL"]
        var tables = "record"
        if query.parent != nil {
            tables = "record_reference CROSS JOIN record ON number = child"
            conditions += ["field = ?3", "parent = (SELECT number FROM record WHERE id = ?4 AND entity_type = ?5)"]
        }
        if query.isActive != nil { conditions.append("is_active = ?6") }
        if query.after != nil { conditions.append("(sort_order, id) \(query.isDescending ? "<" : ">") (?7, ?8)") }
        let direction = query.isDescending ? "DESC" : "ASC"
        // A negative LIMIT is none. Rows that OFFSET passes over are counted in the index alone.
        let statement = try RawStatement(
            """
            SELECT \(Self.columns), sort_order FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY sort_order \(direction), id \(direction) LIMIT ?9 OFFSET ?10
            """, database)
        statement.bind(1, account)
        statement.bind(2, entityType.rawValue)
        if let parent = query.parent {
            statement.bind(3, parent.field)
            statement.bind(4, parent.parent)
        }
        statement.bind(6, (query.isActive ?? true) ? 1 : 0)
        statement.bind(7, query.after?.order)
        statement.bind(8, id: query.after?.id ?? "")
        statement.bind(9, Int64(query.limit ?? -1))
        statement.bind(10, Int64(query.offset))
        return try listed(statement, upTo: byteLimit)
    }

    func children(
        _ entityType: EntityType, of reference: RecordIndex.Reference, limit: Int, byteLimit: Int
    ) throws -> [StoredRecord] {
        let query = try children(
            "\(Self.columns), sort_order", entityType, of: reference, "revision > ? ORDER BY child LIMIT ?",
            [-1, Int64(limit)])
        return try listed(query, upTo: byteLimit).map(\.record)
    }

    func hasChild(_ entityType: EntityType, of reference: RecordIndex.Reference, after revision: Int64) throws -> Bool {
        let query = try children("1", entityType, of: reference, "revision > ? LIMIT ?", [revision, 1])
        var isFound = false
        try query.forEach { isFound = true }
        return isFound
    }

    /// A question for the records that refer to a parent.
    private func children(
        _ columns: String, _ entityType: EntityType, of reference: RecordIndex.Reference, _ rest: String,
        _ numbers: [Int64]
    ) throws -> RawStatement {
        let query = try RawStatement(
            """
            SELECT \(columns) FROM record_reference CROSS JOIN record ON number = child
            WHERE parent = (SELECT number FROM record WHERE id = ? AND entity_type = ?) AND field = ?
                AND account = ? AND entity_type = ? AND \(rest)
            """, database)
        query.bind(1, reference.parent)
        query.bind(3, reference.field)
        query.bind(4, account)
        query.bind(5, entityType.rawValue)
        for (place, number) in zip(Int32(6)..., numbers) { query.bind(place, number) }
        return query
    }

    private func listed(
        _ query: RawStatement, upTo byteLimit: Int
    ) throws -> [(record: StoredRecord, order: Int64)] {
        var found: [(record: StoredRecord, order: Int64)] = []
        var bytes = 0
        try query.whileTrue {
            let isFull = bytes >= byteLimit
            found.append((Self.record(query), query.number(7)))
            bytes += found.last?.record.document?.count ?? 0
            return !isFull
        }
        return found
    }

    func usage() throws -> [EntityType: RecordUsage] {
        var usage: [EntityType: RecordUsage] = [:]
        let query = try RawStatement(
            "SELECT entity_type, records, bytes FROM usage WHERE account = ? AND records <> 0", database)
        query.bind(1, account)
        try query.forEach {
            usage[EntityType(rawValue: query.text(0))] = RecordUsage(records: query.number(1), bytes: query.number(2))
        }
        return usage
    }
}
