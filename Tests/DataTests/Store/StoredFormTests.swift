import Foundation
import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// What is in the file, read beside the store.
@Suite("The form of ids in the file")
struct StoredFormTests {
    private let store: TemporaryStore

    private static let uuid = "019ab000-0000-7000-8000-0000000000ff"
    private static let others = ["e1", "019AB000-0000-7000-8000-0000000000FF", "019ab0000000700080000000000001ff"]

    init() throws {
        store = try TemporaryStore()
    }

    private func put(_ id: String) throws {
        try store.saving { unit in
            let event = Event(id: id, eventTypeId: id, timestamp: Timestamp(milliseconds: 0), geofenceId: id)
            try unit.upsert(LocalRecord(event))
            try unit.putBases([RecordBase(.event, id: id, document: nil, revision: 1)])
            try unit.mark(.event, ids: [id])
            try unit.insertMutation(
                PendingMutation(
                    clientRequestId: id, entityType: .event, operation: .create, entityId: id,
                    createdAt: Timestamp(milliseconds: 0)))
        }
    }

    private static let columns = [
        ("event", "id"), ("event", "event_type_id"), ("event", "geofence_id"), ("sync_base", "id"),
        ("sync_mark", "id"), ("sync_mutation", "entity_id"), ("sync_mutation", "client_request_id"),
    ]

    @Test("is 16 bytes for a UUID in lower case, and the text for every other id", arguments: columns)
    func form(table: String, column: String) throws {
        for id in [Self.uuid] + Self.others { try put(id) }
        let forms = try DatabaseQueue(path: store.factory.path).read { database in
            let sql = "SELECT typeof(\(column)) || ' ' || CASE typeof(\(column)) WHEN 'text' THEN \(column) "
            return try String.fetchAll(database, sql: sql + "ELSE hex(\(column)) END FROM \(table)")
        }
        #expect(Set(forms) == Set(Self.others.map { "text \($0)" } + ["blob 019AB0000000700080000000000000FF"]))
    }

    @Test("lets an id with a NUL come back exactly, also one of 16 bytes", arguments: ["a\0b", "sixteen\0bytes!!!"])
    func nul(_ id: String) throws {
        try put(id)
        let found = try store.makeDataStore().find(Event.self, id: id)
        #expect(found.map { Array($0.id.utf8) } == Array(id.utf8) && found?.entity.geofenceId == id)
    }

    @Test(
        "lets records be found by the end of an id, in either case, and of any length",
        arguments: [
            ("0000000000ff", [uuid, others[1]]), ("-0000000000FF", [uuid, others[1]]), (uuid, [uuid, others[1]]),
            ("0000ff", [uuid, others[1]]), ("ff", [uuid, others[1], others[2]]), ("F", [uuid, others[1], others[2]]),
            ("e1", ["e1"]), ("8000-0000000000ff", [uuid, others[1]]), ("0-00000000ff", []), ("g", []), ("fe", []),
            ("0" + uuid, []), ("00000000000000ff", []), (others[2], [others[2]]), ("1FF", [others[2]]),
        ])
    func ends(_ suffix: String, _ expected: [String]) throws {
        for id in [Self.uuid] + Self.others { try put(id) }
        let found = try store.factory.makeReader().ids(of: .event, endingWith: suffix, limit: 9)
        #expect(found == expected.sorted(by: IdOrder.precedes))
    }
}
