import Foundation
import GRDB
import TrendyDomain

extension SQLiteTransaction {
    func reply(_ key: ReplyKey) throws -> StoredReply? {
        let row = try row(
            """
            SELECT entity_id, fingerprint, outcome, document, created_at FROM idempotency_reply
            WHERE user_id = ? AND route = ? AND key = ?
            """, [key.userId, key.route, key.key])
        guard let row, let outcome = WriteReply.Outcome(rawValue: row[2]) else { return nil }
        return StoredReply(
            entityId: row[0], fingerprint: row[1], outcome: outcome, document: row[3],
            at: Timestamp(milliseconds: row[4]))
    }

    func save(_ reply: StoredReply, under key: ReplyKey) throws {
        try execute(
            """
            INSERT OR REPLACE INTO idempotency_reply
                (user_id, route, key, entity_id, fingerprint, outcome, document, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                key.userId, key.route, key.key, reply.entityId, reply.fingerprint, reply.outcome.rawValue,
                reply.document?.text, reply.at.milliseconds,
            ])
    }

    func deleteReplies(before moment: Timestamp) throws {
        try execute("DELETE FROM idempotency_reply WHERE created_at < ?", [moment.milliseconds])
    }
}
