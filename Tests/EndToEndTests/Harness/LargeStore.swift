import Foundation

/// A store on which everything takes more than a moment, made once.
enum LargeStore {
    static let events = 300_000

    static let shared = Task {
        let device = try Device()
        try await device.done("type", "add", "walk")
        try await device.done("prop", "add", "walk", "km", "--kind", "number")
        try DatabaseFile(of: device).execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(events - 1))
            INSERT INTO event (id, event_type_id, timestamp, notes, is_all_day, properties, sync_status)
            SELECT id_bytes(printf('01900000-0000-7000-8000-%012d', i)), (SELECT id FROM event_type),
                1500000000000 + i * 600000, 'note number ' || i, 0,
                '{"km":{"type":"number","value":' || (i % 10) || '}}', 'synced' FROM n;
            UPDATE sync_count SET number = number + \(events) WHERE name = 'record:event';
            """)
        return device
    }

    /// A device of its own with all that is in it.
    static func makeDevice() async throws -> Device {
        let device = try Device()
        try FileManager.default.copyItem(at: await shared.value.home, to: device.home)
        return device
    }
}
