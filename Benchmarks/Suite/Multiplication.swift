import Foundation
import GRDB

/// Makes a million events from the few that a store has: an import of as many takes minutes, which nobody waits for.
///
/// The copies lie before the events, as far apart as they are, and count as sent: so does a store look that has been
/// in use for years. Triggers and indexes take part, so that the store is as its own writes would have left it.
struct Multiplication {
    /// The file of the store.
    let file: String
    /// How far the copies are moved back, in milliseconds: the time from the first event to the last, and a step.
    let span: Int

    /// Adds so many copies of each event.
    func run(copies: Int) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { database in
            database.add(function: Self.idBytes)
            // Nothing here outlives the measurement, so that nothing need reach the disk.
            try database.execute(
                sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; PRAGMA temp_store = MEMORY")
            try database.inTransaction {
                try database.execute(sql: "CREATE TEMP TABLE template AS SELECT * FROM event ORDER BY timestamp")
                try database.execute(sql: try insertion(database), arguments: [copies])
                try database.execute(
                    sql: "UPDATE sync_count SET number = (SELECT count(*) FROM event) WHERE name = 'record:event'")
                return .commit
            }
            try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// Makes of a UUID's text the 16 bytes that a store keeps of it.
    private static let idBytes = DatabaseFunction("id_bytes", argumentCount: 1) { values in
        String.fromDatabaseValue(values[0]).flatMap(UUID.init(uuidString:)).map { id in
            withUnsafeBytes(of: id.uuid) { Data($0) }
        }
    }

    /// The SQL that inserts the copies, the oldest first; the argument is how many there are of each event.
    private func insertion(_ database: Database) throws -> String {
        let columns = try database.columns(in: "event").map(\.name)
        let moment = "(timestamp - number * \(span))"
        let time = "printf('%012x', \(moment))"
        let values = columns.map { column in
            switch column {
            // Of version 7, as all ids here are: the time, and then chance.
            case "id":
                """
                id_bytes(substr(\(time), 1, 8) || '-' || substr(\(time), 9) || '-' || substr(hex(id), 13, 4) || '-'
                    || substr(hex(id), 17, 4) || '-' || hex(randomblob(6)))
                """
            case "timestamp", "created_at", "updated_at": moment
            case "external_id": "external_id || '-' || number"
            case "sync_status": "'synced'"
            default: "\"\(column)\""
            }
        }
        return """
            WITH RECURSIVE copy (number) AS (
                VALUES (?) UNION ALL SELECT number - 1 FROM copy WHERE number > 1
            )
            INSERT INTO event (\(columns.map { "\"\($0)\"" }.joined(separator: ", ")))
            SELECT \(values.joined(separator: ", ")) FROM copy CROSS JOIN template
            """
    }
}
