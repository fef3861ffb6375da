import Foundation
import GRDB
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// Each factory here has its own connections, as if it lived in a process of its own.
@Suite("A store that several use at once")
struct StoreSharingTests {
    @Test("many that open a new store at the same moment all get it")
    func simultaneousFirstOpening() throws {
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            let path = folder.path("new/home/trendy.sqlite")
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do {
                    try LocalStoreFactory(path: path).saving { try $0.upsertEvent(id: "e\(number)") { $0.notes = "n" } }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(try LocalStoreFactory(path: path).makeDataStore().count(Event.self) == 8)
        }
    }

    @Test("two factories that write from many tasks lose nothing and are never refused")
    func manyWriters() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("trendy.sqlite")
        let factories = [LocalStoreFactory(path: path), LocalStoreFactory(path: path)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<20 {
                        try factories[task % 2].saving { store in
                            let event = try store.upsertEvent(id: "e-\(task)-\(round)") { $0.eventTypeId = "t" }
                            try store.insertMutation(
                                PendingMutation(
                                    clientRequestId: event.id, entityType: .event, operation: .create,
                                    entityId: event.id, createdAt: Timestamp(milliseconds: 0)))
                        }
                        let both = try factories[(task + 1) % 2].makeReader().mutations(MutationQuery(limit: 3))
                        #expect(both.map(\.id) == both.map(\.id).sorted())
                    }
                }
            }
            try await group.waitForAll()
        }
        let reader = factories[0].makeReader()
        #expect(try reader.counts()[.event] == 320)
        let mutations = try reader.mutations()
        #expect(Set(mutations.map(\.entityId)).count == 320)
        #expect(mutations.map(\.id) == Array(1...320))
    }

    @Test("a unit dropped in one process leaves no trace in another, and does not keep it waiting")
    func droppedUnit() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("trendy.sqlite")
        let (first, second) = (LocalStoreFactory(path: path), LocalStoreFactory(path: path, busyTimeout: .zero))
        try first.open()
        var unit: (any DataStoreProtocol)? = try first.makeDataStore()
        try unit?.upsertEvent(id: "lost") { $0.notes = "n" }
        #expect(throws: StoreError.busy) { try second.saving { try $0.setMetadata("key", "value") } }
        #expect(try second.makeReader().counts()[.event] == 0)
        unit = nil
        try second.saving { try $0.setMetadata("key", "value") }
        #expect(try first.makeReader().counts()[.event] == 0)
        #expect(try first.makeReader().metadata("key") == "value")
    }

    @Test("what was saved is there when the store is opened again")
    func reopening() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("trendy.sqlite")
        for round in 1...3 {
            try LocalStoreFactory(path: path).saving { try $0.upsertEvent(id: "e\(round)") { $0.notes = "n" } }
            #expect(try LocalStoreFactory(url: URL(fileURLWithPath: path)).makeReader().counts()[.event] == round)
        }
    }

    @Test("what was saved is in the files before save returns, though nothing is closed")
    func savedMeansWritten() throws {
        let folder = try TemporaryFolder()
        let factory = LocalStoreFactory(path: folder.path("trendy.sqlite"))
        let store = try factory.makeDataStore()
        try store.upsertEvent(id: "e") { $0.notes = "n" }
        try store.save()
        // The files as a crash would leave them, but for the index of the log, which SQLite makes anew.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: folder.path("trendy.sqlite" + suffix), toPath: folder.path("copy.sqlite" + suffix))
        }
        #expect(try LocalStoreFactory(path: folder.path("copy.sqlite")).makeReader().counts()[.event] == 1)
    }

    @Test("a new store and its folder can be read by their owner alone")
    func permissions() throws {
        let folder = try TemporaryFolder()
        let factory = LocalStoreFactory(path: folder.path("home/trendy.sqlite"))
        try factory.saving { try $0.setMetadata("key", "value") }
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
        }
        #expect(try mode("home") == 0o700)
        for file in ["home/trendy.sqlite", "home/trendy.sqlite-wal", "home/trendy.sqlite-shm"] {
            #expect(try mode(file) == 0o600)
        }
    }

    @Test("a long read neither holds up a writer nor sees what it writes")
    func readBesideWrite() throws {
        let store = try TemporaryStore(busyTimeout: .zero)
        try store.saving { store in
            for number in 0..<10 { try store.upsertEvent(id: "e\(number)") { $0.notes = "n" } }
        }
        var seen = 0
        try store.factory.makeRepository().forEachEvent(matching: EventFilter()) { _ in
            seen += 1
            try store.saving { try $0.upsertEvent(id: "new\(seen)") { $0.notes = "n" } }
        }
        #expect(seen == 10)
        #expect(try store.factory.makeReader().counts()[.event] == 20)
    }
}
