import Foundation
import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// SQLite takes such a file for a new database, and removes the log.
@Suite("A store whose file is empty or gone, beside its log")
struct LeftLogTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("trendy.sqlite")
    }

    /// The log of a store with events: with all pages, or with those of one more event alone.
    private func log(events: Int, isWhole: Bool = true) throws -> Data {
        let origin = LocalStoreFactory(path: folder.path("origin/trendy.sqlite"))
        func write(_ numbers: Range<Int>) throws {
            for number in numbers {
                try origin.saving { try $0.upsertEvent(id: "e-\(number)") { $0.notes = "note \(number)" } }
            }
        }
        try write(0..<events)
        if !isWhole {
            let other = try DatabaseQueue(path: origin.path)
            try other.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            try other.close()
            try write(events..<events + 1)
        }
        return try withExtendedLifetime(origin) {
            try Data(contentsOf: URL(fileURLWithPath: origin.path + "-wal"))
        }
    }

    /// Puts a log beside an empty file, or beside none.
    private func put(_ log: Data?, besideFile hasFile: Bool = true) throws {
        if hasFile { try Data().write(to: URL(fileURLWithPath: path)) }
        try log?.write(to: URL(fileURLWithPath: path + "-wal"))
    }

    @Test("comes back from the log, where that has all of it", arguments: [true, false])
    func whole(hasFile: Bool) async throws {
        try put(log(events: 10), besideFile: hasFile)
        let store = LocalStoreFactory(path: path)
        #expect(try store.makeReader().counts()[.event] == 10)
        #expect(try store.makeReader().find(Event.self, id: "e-7")?.entity.notes == "note 7")
        #expect(try await store.checkIntegrity() == [])
        try store.saving { try $0.upsertEvent(id: "new") { $0.notes = "n" } }
        #expect(try LocalStoreFactory(path: path).makeReader().counts()[.event] == 11)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).isSubset(of: ["origin", "trendy.sqlite", "trendy.sqlite-wal", "trendy.sqlite-shm"]))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(hasFile || mode == 0o600)
    }

    @Test("is refused where the log has only a part of it or nothing, and the log stays", arguments: [true, false])
    func part(hasFile: Bool) throws {
        let part = try log(events: 10, isWhole: false)
        for bytes in [part, Data(part.prefix(32)), Data("this is no log of SQLite, whatever its name says".utf8)] {
            try put(bytes, besideFile: hasFile)
            #expect {
                try LocalStoreFactory(path: path).open()
            } throws: {
                if case .corrupt(let reason) = $0 as? StoreError { reason.contains("trendy.sqlite-wal") } else { false }
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == bytes)
            #expect((try? Data(contentsOf: URL(fileURLWithPath: path))) == (hasFile ? Data() : nil))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == (hasFile ? 3 : 2))
    }

    @Test("is a new one where the log is empty or gone, too", arguments: [nil, Data()] as [Data?])
    func new(log: Data?) throws {
        try put(log)
        #expect(try LocalStoreFactory(path: path).makeReader().counts()[.event, default: 0] == 0)
    }

    @Test("comes back for all who open it at the same moment", arguments: [true, false])
    func together(hasFile: Bool) async throws {
        try put(log(events: 10), besideFile: hasFile)
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 {
                group.addTask { [path] in try LocalStoreFactory(path: path).makeReader().counts()[.event] }
            }
            for try await count in group { #expect(count == 10) }
        }
    }
}
