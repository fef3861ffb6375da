import Foundation
import GRDB
import Testing
import TrendyDomain

@testable import TrendyServer

@Suite("The SQLite server store")
struct SQLiteServerStoreTests {
    @Test("fulfils the contract in memory")
    func contractInMemory() throws {
        try checkServerStoreContract { try SQLiteServerStore() }
    }

    @Test("fulfils the contract in a file")
    func contractInFile() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var number = 0
            try checkServerStoreContract {
                number += 1
                return try SQLiteServerStore(file: folder.appending(path: "\(number).sqlite"))
            }
        }
    }

    @Test("brings the names of an older database under their present rule, and keeps two that are the same now")
    func olderNames() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            var world = try ServerWorld(store: SQLiteServerStore(file: file))
            for (number, name) in zip(UInt64(1)..., ["Café", "tea", "mocha"]) {
                _ = try world.create(EventType.sample(number, name: name))
            }
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        UPDATE record SET natural_key = 'Café' WHERE natural_key LIKE 'caf%';
                        UPDATE record SET natural_key = 'CAFÉ', document = replace(document, 'mocha', 'CAFÉ')
                            WHERE natural_key = 'mocha';
                        DELETE FROM grdb_migrations WHERE identifier = '2026-11-27.3'
                        """)
            }
            world = try ServerWorld(store: SQLiteServerStore(file: file))
            let keys = try await queue.read {
                try String.fetchAll($0, sql: "SELECT natural_key FROM record ORDER BY revision")
            }
            #expect(keys == ["cafe\u{301}", "tea", "cafe\u{301}"])
            #expect(try world.list(.eventType).count == 3)
            #expect(
                problem { try world.create(EventType.sample(4, name: "cafe\u{301} ")) }?.detail.contains(id(1)) == true)
        }
    }

    @Test("refuses a database of a newer version, and leaves it as it was")
    func newerVersion() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            _ = try SQLiteServerStore(file: file)
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v9000')") }
            #expect(throws: ServerStartError.newerStore) { try SQLiteServerStore(file: file) }
            #expect(try await queue.read { try $0.tableExists("record") })
        }
    }

    @Test("refuses a database of a version before the first release, and says what to do")
    func developmentVersion() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for version in ["v1", "2026-11-25"] {
                let file = folder.appending(path: "\(version).sqlite")
                var migrator = DatabaseMigrator()
                migrator.registerMigration(version) { try $0.execute(sql: "CREATE TABLE change_log (id INTEGER)") }
                try migrator.migrate(DatabaseQueue(path: file.path))
                let error = try #require(throws: ServerStartError.self) { try SQLiteServerStore(file: file) }
                #expect(error == .developmentStore)
                #expect("\(error)".contains("begin with an empty folder") && !"\(error)".contains("\n"))
            }
        }
    }

    @Test("brings a database of before runs up to date, whose cursors stay good")
    func beforeRuns() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            let queue = try DatabaseQueue(path: file.path)
            try ServerSchema.migrator.migrate(queue, upTo: "2026-11-27.1")
            try await queue.write {
                try $0.execute(
                    sql: "INSERT INTO history (user_id, epoch, head, horizon) VALUES ('ann', 'e', 7, 2)")
            }
            try queue.close()
            let world = try ServerWorld(store: SQLiteServerStore(file: file))
            let history = try world.store.read("ann") { try $0.history() }
            #expect(history == AccountHistory(epoch: "e", head: 7, horizon: 2))
            _ = try world.create(EventType.sample())
            let request = SyncRequest(epoch: "e", cursor: "7")
            #expect(try world.sync(request).changes.map(\.revision) == [8])
        }
    }

    @Test("counts a backup that is restored into it while it is open as another start")
    func restored() throws {
        let store = try SQLiteServerStore()
        func start() throws -> String { try store.write("ann") { $0.databaseStart } }
        let copy = try store.copied()
        var starts = [try start(), try start()]
        #expect(starts[0] == starts[1])
        for _ in 0..<2 {
            try copy.database.backup(to: store.database)
            starts.append(try start())
        }
        #expect(Set(starts).count == 3, "\(starts)")
    }

    @Test("says that a file is no database")
    func corrupt() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            let text = Data(String(repeating: "this is no database. ", count: 500).utf8)
            try text.write(to: file)
            #expect {
                try SQLiteServerStore(file: file)
            } throws: { error in
                if case .corruptStore = error as? ServerStartError {
                    "\(error)".contains("server.sqlite")
                } else {
                    false
                }
            }
            #expect(try Data(contentsOf: file) == text)
        }
    }

    @Test("makes its folder for the user alone")
    func permissions() async throws {
        try await withFolder { folder in
            _ = try makeServer(in: folder)
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(folder.path) == 0o700)
            #expect(try mode(folder.appending(path: "server.sqlite").path) == 0o600)
        }
    }
}
