import Foundation
import GRDB

/// A database of the program, read beside it: what a test sees is what is on the disk.
struct DatabaseFile {
    private let path: String

    /// The store of a device.
    init(of device: Device) {
        path = device.home.appending(path: "trendy.sqlite").path
    }

    /// The data of a server that was started in that folder.
    init(ofServerIn folder: Folder) {
        path = folder.url.appending(path: "data/server.sqlite").path
    }

    /// What SQLite says about the file: `ok`, or what is wrong.
    func integrity() throws -> String {
        try read { try String.fetchAll($0, sql: "PRAGMA integrity_check").joined(separator: "; ") }
    }

    /// Overwrites the first page of a table, as a failing disk does.
    func damage(_ table: String) throws {
        let place = try read { database in
            let page = try Int.fetchOne(
                database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
            return (page: page ?? 0, size: try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seek(toOffset: UInt64((place.page - 1) * place.size))
        try file.write(contentsOf: Data(repeating: 0xA5, count: place.size))
        try file.close()
    }

    /// What became of a record on a server.
    enum Fate: String {
        case made, edited, deleted
    }

    /// What became of each record that a server has, or had.
    func fates() throws -> [String: Fate] {
        // What was never changed has no revision of its making beside that of its latest change.
        let sql = """
            SELECT id_text(id) AS id, document IS NULL AS gone, coalesce(created_revision, revision) < revision AS edited
            FROM record
            """
        return try read { try Row.fetchAll($0, sql: sql) }.reduce(into: [:]) { fates, row in
            fates[row["id"]] = row["gone"] ? .deleted : row["edited"] ? .edited : .made
        }
    }

    /// Whether a server has made each of its records once and deleted those once that are gone, and has done nothing
    /// besides but so many edits: each change is a revision, so that nothing was done twice.
    func hasDoneAllOnce(edits: Int = 0) throws -> Bool {
        let changes = try fates().values.reduce(edits) { $0 + ($1 == .deleted ? 2 : 1) }
        return try read { try Int.fetchOne($0, sql: "SELECT head FROM history") } == changes
    }

    /// How many records a server has.
    func recordCount() throws -> Int { try fates().values.count { $0 != .deleted } }

    /// The ids of the events that a device knows to be on the server.
    func acceptedIds() throws -> Set<String> {
        let sql = "SELECT id_text(entity_id) FROM sync_mutation WHERE state = 'accepted' AND entity_type = 'event'"
        return try read { try String.fetchSet($0, sql: sql) }
    }

    /// The ids of a server's records of a kind.
    func serverIds(of kind: String) throws -> Set<String> {
        let sql = "SELECT id_text(id) FROM record WHERE entity_type = ? AND document IS NOT NULL"
        return try read { try String.fetchSet($0, sql: sql, arguments: [kind]) }
    }

    /// The notes of a device's events, with those that are there twice twice; none while the tables are not made yet.
    func notes() throws -> [String] {
        try read { database in
            guard try database.tableExists("event") else { return [] }
            return try String.fetchAll(database, sql: "SELECT notes FROM event WHERE notes IS NOT NULL").sorted()
        }
    }

    /// The id of a device's event with that note.
    func eventId(note: String) throws -> String? {
        try read { try String.fetchOne($0, sql: "SELECT id_text(id) FROM event WHERE notes = ?", arguments: [note]) }
    }

    /// The ids of a device's events and event types.
    func ids() throws -> [String] {
        try read {
            try String.fetchAll($0, sql: "SELECT id_text(id) FROM event UNION ALL SELECT id_text(id) FROM event_type")
        }
    }

    /// Every record of a device with everything that is kept of it, in the order of the ids; without the revisions,
    /// which each way to a server counts for itself.
    func records() throws -> [String] {
        try read { database in
            try ["event_type", "property_definition", "geofence", "event"].flatMap { table in
                try Row.fetchAll(database, sql: "SELECT '\(table)' AS kind, * FROM \(table) ORDER BY id")
            }
        }.map { row in
            row.filter { !$0.0.hasSuffix("revision") }.map { "\($0): \($1)" }.joined(separator: ", ")
        }
    }

    /// The queue as it is stored: every column but those that a new attempt of a sync may touch.
    func queue() throws -> [String] {
        let sql = """
            SELECT id, client_request_id, entity_type, operation, entity_id, attempts, last_error,
                last_attempt_at, created_at,
                (SELECT hex(body) FROM sync_payload WHERE id = sync_mutation.id) AS payload
            FROM sync_mutation WHERE state IN ('queued', 'sending', 'parked') ORDER BY id
            """
        return try read { try Row.fetchAll($0, sql: sql) }.map(\.description)
    }

    /// The states of the mutations in the queue.
    func states() throws -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT state FROM sync_mutation ORDER BY id") }
    }

    /// How many rows a table has.
    func count(_ table: String) throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 }
    }

    /// Changes the file behind the program's back. `id_bytes` makes of a UUID's text what a device keeps of it.
    func execute(_ sql: String) throws {
        try open().write { try $0.execute(sql: sql) }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try open().read(body)
    }

    private func open() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            database.add(function: Self.idBytes)
            database.add(function: Self.idText)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static let idBytes = DatabaseFunction("id_bytes", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).flatMap(UUID.init(uuidString:)).map { id in
            withUnsafeBytes(of: id.uuid) { Data($0) }
        }
    }

    private static let idText = DatabaseFunction("id_text", argumentCount: 1, pure: true) { values in
        Data.fromDatabaseValue(values[0]).map { bytes in
            bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString.lowercased() }
        }
    }
}
