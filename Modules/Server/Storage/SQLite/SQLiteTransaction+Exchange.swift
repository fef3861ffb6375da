import Foundation
import GRDB
import TrendyDomain

extension SQLiteTransaction {
    func history(userId: String) throws -> AccountHistory? {
        try row("SELECT epoch, head, horizon FROM history WHERE user_id = ?", [userId])
            .map { AccountHistory(epoch: $0[0], head: $0[1], horizon: $0[2]) }
    }

    func save(_ history: AccountHistory, userId: String) throws {
        try execute(
            "INSERT OR REPLACE INTO history (user_id, epoch, head, horizon) VALUES (?, ?, ?, ?)",
            [userId, history.epoch, history.head, history.horizon])
    }

    func tombstones(_ keys: Set<RecordKey>, userId: String) throws -> [RecordKey: Int64] {
        var found: [RecordKey: Int64] = [:]
        for key in keys {
            found[key] = try value(
                Int64.self, "SELECT revision FROM tombstone WHERE user_id = ? AND entity_type = ? AND id = ?",
                [userId, key.entityType.rawValue, key.id])
        }
        return found
    }

    func save(_ tombstones: [Tombstone], userId: String) throws {
        for tombstone in tombstones {
            try execute(
                """
                INSERT OR REPLACE INTO tombstone (user_id, entity_type, id, revision, deleted_at)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    userId, tombstone.key.entityType.rawValue, tombstone.key.id, tombstone.revision,
                    tombstone.at.milliseconds,
                ])
        }
    }

    func deleteTombstones(_ keys: Set<RecordKey>, userId: String) throws {
        for key in keys {
            try execute(
                "DELETE FROM tombstone WHERE user_id = ? AND entity_type = ? AND id = ?",
                [userId, key.entityType.rawValue, key.id])
        }
    }

    func outcomes(_ mutationKeys: Set<String>, userId: String) throws -> [String: KeptOutcome] {
        var found: [String: KeptOutcome] = [:]
        for key in mutationKeys {
            let row = try row(
                "SELECT entity_type, id, revision, created_at FROM mutation_key WHERE user_id = ? AND key = ?",
                [userId, key])
            guard let row else { continue }
            found[key] = KeptOutcome(
                mutationKey: key, record: RecordKey(EntityType(rawValue: row[0]), row[1]), revision: row[2],
                at: Timestamp(milliseconds: row[3]))
        }
        return found
    }

    func save(_ outcomes: [KeptOutcome], userId: String) throws {
        for outcome in outcomes {
            try execute(
                """
                INSERT OR REPLACE INTO mutation_key (user_id, key, entity_type, id, revision, created_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    userId, outcome.mutationKey, outcome.record.entityType.rawValue, outcome.record.id,
                    outcome.revision, outcome.at.milliseconds,
                ])
        }
    }

    func deleteOutcomes(before moment: Timestamp) throws {
        try execute("DELETE FROM mutation_key WHERE created_at < ?", [moment.milliseconds])
    }

    func changes(userId: String, after revision: Int64, limit: Int, byteLimit: Int) throws -> [RevisedRecord] {
        try revised(
            upTo: byteLimit,
            """
            SELECT entity_type, id, revision, created_revision, document FROM record
            WHERE user_id = :user AND revision > :revision
            UNION ALL
            SELECT entity_type, id, revision, revision, NULL FROM tombstone
            WHERE user_id = :user AND revision > :revision
            ORDER BY 3 LIMIT :limit
            """, ["user": userId, "revision": revision, "limit": limit])
    }

    func snapshot(
        of entityType: EntityType, userId: String, after id: String?, limit: Int, byteLimit: Int
    ) throws -> [RevisedRecord] {
        // No id is before the empty text.
        try revised(
            upTo: byteLimit,
            """
            SELECT entity_type, id, revision, created_revision, document FROM record
            WHERE user_id = ? AND entity_type = ? AND id > ? ORDER BY id LIMIT ?
            """, [userId, entityType.rawValue, id ?? "", limit])
    }

    private func revised(
        upTo byteLimit: Int, _ sql: String, _ arguments: StatementArguments
    ) throws -> [RevisedRecord] {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
        var found: [RevisedRecord] = []
        var (bytes, isFull) = (0, false)
        while !isFull, let row = try rows.next() {
            isFull = bytes >= byteLimit
            found.append(
                RevisedRecord(
                    key: RecordKey(EntityType(rawValue: row[0]), row[1]), revision: row[2], createdRevision: row[3],
                    document: row[4]))
            bytes += found.last?.document?.count ?? 0
        }
        return found
    }
}
