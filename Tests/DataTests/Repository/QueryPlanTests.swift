import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// The look-ups that must not slow down as the store fills. The SQL is that of the store,
/// written out: an index that it needs must not get lost in a migration.
@Suite("Look-ups in a full store")
struct QueryPlanTests {
    @Test(
        "the database answers from an index",
        arguments: [
            ("SELECT * FROM event WHERE event_type_id = 'a' ORDER BY id", "event_event_type_id_timestamp_is_all_day"),
            ("SELECT * FROM event WHERE geofence_id = 'a' ORDER BY id", "event_geofence_id"),
            ("SELECT * FROM event WHERE external_id = 'a' ORDER BY id", "event_external_id"),
            ("SELECT * FROM event WHERE healthkit_sample_id = 'a' ORDER BY id", "event_healthkit_sample_id"),
            (
                "SELECT * FROM property_definition WHERE event_type_id = 'a' ORDER BY id",
                "property_definition_event_type_id"
            ),
            ("SELECT * FROM event ORDER BY timestamp DESC, id DESC LIMIT 20", "event_timestamp_id"),
            (
                "SELECT timestamp FROM event WHERE event_type_id = 'a' AND timestamp >= 1",
                "event_event_type_id_timestamp_is_all_day"
            ),
            ("SELECT timestamp FROM event WHERE timestamp >= 1 AND timestamp < 2", "event_timestamp_id"),
            (
                "SELECT 2 * timestamp + (is_all_day <> 0) FROM event", "event_event_type_id_timestamp_is_all_day"
            ),
            (
                """
                WITH type (id) AS (SELECT 'a' UNION ALL SELECT 'b')
                SELECT 2 * timestamp + (is_all_day <> 0) FROM type CROSS JOIN event ON event_type_id = type.id
                WHERE timestamp >= 1 AND timestamp < 2
                """, "event_event_type_id_timestamp_is_all_day (event_type_id=? AND timestamp>? AND timestamp<?)"
            ),
            (
                "SELECT min(event_type_id) FROM event WHERE event_type_id > 'a'",
                "event_event_type_id_timestamp_is_all_day"
            ),
            (
                """
                SELECT id FROM event WHERE ((typeof(id) = 'text' AND lower(substr(id, -6)) = 'a')
                    OR (typeof(id) = 'blob' AND substr(hex(id), -6) = 'A'))
                    AND substr(id, -3) IN ('a', 'b', 'c', x'000000')
                """, "event_id_tail"
            ),
            ("SELECT * FROM event WHERE id IN (SELECT value FROM json_each('[]'))", "sqlite_autoindex_event_1 (id=?)"),
            (
                """
                SELECT id FROM event WHERE NOT EXISTS (
                    SELECT 1 FROM sync_mark WHERE entity_type = 'event' AND sync_mark.id = event.id)
                UNION SELECT id FROM sync_base WHERE entity_type = 'event' AND NOT EXISTS (
                    SELECT 1 FROM sync_mark WHERE entity_type = 'event' AND sync_mark.id = sync_base.id)
                ORDER BY id LIMIT 5
                """, "sqlite_autoindex_event_1"
            ),
            (
                """
                SELECT * FROM sync_mutation INDEXED BY sync_mutation_entity
                WHERE entity_type = 'event' AND entity_id IN (SELECT value FROM json_each('[]'))
                    AND state IN ('queued', 'sending', 'parked') ORDER BY id
                """, "sync_mutation_entity (entity_id=? AND entity_type=?)"
            ),
        ])
    func usesIndex(_ sql: String, _ index: String) throws {
        let store = try TemporaryStore()
        try store.factory.open()
        let plan = try DatabaseQueue(path: store.factory.path).read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql).map { $0["detail"] as String? ?? "" }
        }
        #expect(plan.contains { $0.contains("INDEX \(index)") }, "\(plan)")
    }

    @Test("what the server says of a record, where it stands and its revisions are in no index")
    func confirmation() throws {
        let store = try TemporaryStore()
        try store.factory.open()
        let columns = ["created_at", "updated_at", "sync_status", "revision", "created_revision", "unknown"]
        let sql = "UPDATE event SET \(columns.map { "\($0) = 1" }.joined(separator: ", ")) WHERE id = 'a'"
        let written = try DatabaseQueue(path: store.factory.path).read { database in
            try Row.fetchAll(database, sql: "EXPLAIN " + sql).compactMap { $0["opcode"] as String? }
        }
        #expect(written.contains("Insert") && Set(written).isDisjoint(with: ["IdxInsert", "IdxDelete"]), "\(written)")
    }
}
