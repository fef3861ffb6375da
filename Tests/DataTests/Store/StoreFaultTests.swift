import Foundation
import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("A store with something wrong")
struct StoreFaultTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("trendy.sqlite")
    }

    private func isCorrupt(_ error: any Error) -> Bool {
        if case .corrupt(let reason) = error as? StoreError { reason.contains(path) } else { false }
    }

    private func isInaccessible(_ error: any Error) -> Bool {
        if case .inaccessible = error as? StoreError { true } else { false }
    }

    /// Changes the store behind its back.
    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test("a file that is no database is refused and left as it is")
    func noDatabase() throws {
        let bytes = Data("This is my diary, and no database.\n".utf8) + Data(repeating: 7, count: 5000)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect { try LocalStoreFactory(path: path).open() } throws: { isCorrupt($0) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test("a damaged page is reported, not read as something else")
    func damagedPages() throws {
        var factory: LocalStoreFactory? = LocalStoreFactory(path: path)
        try factory?.saving { store in
            for number in 0..<500 {
                try store.upsert(
                    LocalRecord(
                        Event(id: "e\(number)", eventTypeId: "t", timestamp: Timestamp(milliseconds: Int64(number)))))
            }
        }
        factory = nil
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for index in 8192..<bytes.count { bytes[index] = 0xA5 }
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect {
            try LocalStoreFactory(path: path).makeDataStore().fetch(Event.self, where: nil)
        } throws: { isCorrupt($0) }
    }

    @Test("a path beneath a file cannot be opened, and the error says so")
    func beneathFile() throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let factory = LocalStoreFactory(path: folder.path("file/deeper/trendy.sqlite"))
        #expect { try factory.open() } throws: { isInaccessible($0) }
        #expect { try factory.makeDataStore() } throws: { isInaccessible($0) }
        #expect { try factory.makeReader().counts() } throws: { isInaccessible($0) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path("file"))) == Data("x".utf8))
    }

    @Test("a folder in the file's place cannot be opened")
    func folderInPlace() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect { try LocalStoreFactory(path: path).open() } throws: { isInaccessible($0) }
    }

    @Test(
        "a read-only folder is reported and nothing is made in it",
        .enabled("root may write everywhere") { getuid() != 0 })
    func readOnlyFolder() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
        #expect { try LocalStoreFactory(path: path).open() } throws: { isInaccessible($0) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(
        "a row that is no record is reported with its kind and id; the others can be read",
        arguments: [
            "event_type_id = NULL", "timestamp = 'yesterday'", "is_all_day = 7", "properties = '{\"a\":'",
            "properties = '[1]'", "location_latitude = 'north'", "sync_status = 'lost'", "notes = x'FF'",
        ])
    func unreadableRow(_ damage: String) throws {
        let factory = LocalStoreFactory(path: path)
        try factory.saving { store in
            try store.upsertEvent(id: "good") { $0.notes = "n" }
            try store.upsertEvent(id: "bad") { $0.notes = "n" }
        }
        try execute("UPDATE event SET \(damage) WHERE id = 'bad'")
        let store = try factory.makeDataStore()
        func isUnreadable(_ error: any Error) -> Bool {
            if case .unreadableRecord(.event, "bad", _) = error as? StoreError { true } else { false }
        }
        #expect { try store.find(Event.self, id: "bad") } throws: { isUnreadable($0) }
        #expect { try store.fetch(Event.self, where: nil) } throws: { isUnreadable($0) }
        #expect(try store.findEvent(id: "good")?.notes == "n")
        #expect(try store.count(Event.self) == 2)
    }

    @Test("an unreadable mutation and an unreadable document are reported with their ids")
    func unreadableMemory() throws {
        let factory = LocalStoreFactory(path: path)
        try factory.open()
        try execute(
            """
            INSERT INTO sync_mutation (client_request_id, entity_type, operation, entity_id, created_at, attempts, state)
            VALUES ('k', 'event', 'explode', 'e', 0, 0, 'queued');
            INSERT INTO sync_document VALUES ('conflict', 'c', '{}');
            """)
        let store = try factory.makeDataStore()
        #expect {
            try store.fetchMutations(.unsent)
        } throws: {
            if case .unreadableRecord("mutation", "1", _) = $0 as? StoreError { true } else { false }
        }
        #expect {
            try store.fetchDocuments(SyncConflict.self)
        } throws: {
            if case .unreadableRecord("conflict", "c", _) = $0 as? StoreError { true } else { false }
        }
    }

    @Test("a unit in which a write failed cannot be saved, and what it wrote before leaves no trace")
    func failedWrite() throws {
        let factory = LocalStoreFactory(path: path)
        try factory.open()
        try execute("DROP TABLE sync_metadata")
        let store = try factory.makeDataStore()
        try store.upsertEvent(id: "e") { $0.notes = "n" }
        #expect(throws: StoreError.self) { try store.setMetadata("key", "value") }
        #expect(throws: StoreError.self) { try store.upsertEvent(id: "f") { $0.notes = "n" } }
        #expect(throws: StoreError.self) { try store.save() }
        #expect(try store.count(Event.self) == 0)
        try store.upsertEvent(id: "g") { $0.notes = "n" }
        try store.save()
        #expect(try factory.makeDataStore().fetchAllEvents().map(\.id) == ["g"])
    }

    @Test("a record that cannot be stored is refused whole, and does not spoil its unit")
    func refusedRecord() throws {
        let factory = LocalStoreFactory(path: path)
        let store = try factory.makeDataStore()
        try store.upsertEvent(id: "e") { $0.notes = "n" }
        #expect(throws: StoreError.self) { try store.upsertEvent(id: "f") { $0.locationLatitude = .infinity } }
        #expect(throws: StoreError.self) { try store.upsertEvent(id: "f") { $0.properties["p"] = .number(.nan) } }
        try store.save()
        #expect(try factory.makeDataStore().fetchAllEvents().map(\.id) == ["e"])
    }
}
