import Foundation
import GRDB
import TrendyDomain

extension SQLiteRecords {
    func tombstones(before moment: Timestamp, after revision: Int64, limit: Int) throws -> [StoredRecord] {
        let query = try RawStatement(
            """
            SELECT \(Self.columns) FROM record WHERE account = ? AND revision > ? AND document IS NULL
                AND coalesce(updated_at, created_at) < ? ORDER BY revision LIMIT ?
            """, database)
        for (place, number) in zip(Int32(1)..., [account, revision, moment.milliseconds, Int64(limit)]) {
            query.bind(place, number)
        }
        var found: [StoredRecord] = []
        try query.forEach { found.append(Self.record(query)) }
        return found
    }

    func erase(_ records: [RecordWrite]) throws -> Int {
        let delete = try RawStatement(
            "DELETE FROM record WHERE id = ? AND entity_type = ? AND account = ? AND revision = ? RETURNING number",
            database)
        // A number is given to another record later: nothing may be left that names it.
        let forget = try RawStatement("DELETE FROM record_reference WHERE parent = ?", database)
        var count = 0
        for write in records {
            delete.bind(1, write.record.key)
            delete.bind(3, account)
            delete.bind(4, write.record.revision)
            var number: Int64?
            try delete.forEach { number = delete.number(0) }
            guard let number else { continue }
            count += 1
            try change(
                "DELETE FROM record_reference WHERE parent = ? AND field = ? AND child = ?", write.former, number)
            forget.bind(1, number)
            try forget.run()
        }
        return count
    }

    func eraseHistory() throws {
        try deleteRuns()
        try database.run("DELETE FROM usage WHERE account = ?", [account])
        try database.run("DELETE FROM history WHERE account = ?", [account])
        account = nil
    }

    func deleteOutcomes(before moment: Timestamp, limit: Int) throws -> Int {
        try database.run(
            """
            DELETE FROM outcome WHERE account = ?1 AND key IN
                (SELECT key FROM outcome WHERE account = ?1 AND kept_at < ?2 LIMIT ?3)
            """, [account, moment.milliseconds, limit])
        return database.changesCount
    }
}
