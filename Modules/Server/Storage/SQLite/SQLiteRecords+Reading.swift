import Foundation
import GRDB
import TrendyDomain

extension SQLiteRecords {
    func outcomes(_ keys: Set<String>) throws -> [String: KeptOutcome] {
        var found: [String: KeptOutcome] = [:]
        try database.rows(
            about: keys.map(StoredId.value), before: [account],
            {
                """
                SELECT key, digest, outcome, revision, kept_at, errors FROM outcome
                WHERE account = ? AND key IN (\($0))
                """
            },
            { row in
                let key = StoredId.text(row[0])
                let outcome: String? = row[2]
                found[key] = KeptOutcome(
                    key: key, digest: row[1], outcome: outcome.flatMap { WriteReply.Outcome(rawValue: $0) },
                    revision: row[3], at: Timestamp(milliseconds: row[4]), errors: row[5])
            })
        return found
    }

    func save(_ outcomes: [KeptOutcome]) throws {
        var values: Database.Values = []
        values.reserveCapacity(outcomes.count * 7)
        for outcome in outcomes {
            values += [
                account, StoredId.value(outcome.key), outcome.digest, outcome.outcome?.rawValue, outcome.revision,
                outcome.at.milliseconds, outcome.errors?.text,
            ]
        }
        try database.insert(
            "INSERT OR REPLACE INTO outcome (account, key, digest, outcome, revision, kept_at, errors) VALUES ",
            columns: 7, values)
    }

    func deleteOutcomes(before moment: Timestamp) throws {
        try database.run("DELETE FROM outcome WHERE account = ? AND kept_at < ?", [account, moment.milliseconds])
    }

    func changes(after revision: Int64, upTo last: Int64, limit: Int, byteLimit: Int) throws -> [StoredRecord] {
        try listed(
            upTo: byteLimit,
            """
            SELECT \(Self.columns), sort_order FROM record
            WHERE account = ? AND revision > ? AND revision <= ? ORDER BY revision LIMIT ?
            """, [account, revision, last, limit]
        ).map(\.record)
    }

    func page(
        of entityType: EntityType, _ query: RecordQuery, byteLimit: Int
    ) throws -> [(record: StoredRecord, order: Int64)] {
        var conditions = ["account = ?", "entity_type = ?", "document IS NOT NULL"]
        var arguments: StatementArguments = [account, entityType.rawValue]
        var tables = "record"
        if let parent = query.parent {
            tables = "record_reference CROSS JOIN record ON number = child"
            conditions += ["field = ?", "parent = (SELECT number FROM record WHERE id = ? AND entity_type = ?)"]
            arguments += [parent.field, StoredId.value(parent.parent.id), parent.parent.entityType.rawValue]
        }
        if let isActive = query.isActive {
            conditions.append("is_active = ?")
            arguments += [isActive]
        }
        if let after = query.after {
            conditions.append("(sort_order, id) \(query.isDescending ? "<" : ">") (?, ?)")
            arguments += [after.order, StoredId.value(after.id)]
        }
        // A negative LIMIT is none. Rows that OFFSET passes over are counted in the index alone.
        arguments += [query.limit ?? -1, query.offset]
        let direction = query.isDescending ? "DESC" : "ASC"
        return try listed(
            upTo: byteLimit,
            """
            SELECT \(Self.columns), sort_order FROM \(tables) WHERE \(conditions.joined(separator: " AND "))
            ORDER BY sort_order \(direction), id \(direction) LIMIT ? OFFSET ?
            """, arguments)
    }

    func counts() throws -> [EntityType: Int] {
        var counts: [EntityType: Int] = [:]
        try database.rows(
            """
            SELECT entity_type, count(*) FROM record WHERE account = ? AND document IS NOT NULL GROUP BY entity_type
            """, [account], { counts[EntityType(rawValue: $0[0])] = $0[1] })
        return counts
    }

    private func listed(
        upTo byteLimit: Int, _ sql: String, _ arguments: StatementArguments
    ) throws -> [(record: StoredRecord, order: Int64)] {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var found: [(record: StoredRecord, order: Int64)] = []
        var (bytes, isFull) = (0, false)
        while !isFull, let row = try rows.next() {
            isFull = bytes >= byteLimit
            found.append((Self.record(row), row[7]))
            bytes += found.last?.record.document?.count ?? 0
        }
        return found
    }
}
