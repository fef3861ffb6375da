import Foundation
import GRDB
import Synchronization
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("Backups of a store")
struct StoreBackupTests {
    private let folder: TemporaryFolder
    private let store: LocalStoreFactory

    init() throws {
        folder = try TemporaryFolder()
        store = LocalStoreFactory(path: folder.path("trendy.sqlite"))
    }

    private func put(_ range: Range<Int>, in store: LocalStoreFactory? = nil) throws {
        try (store ?? self.store).saving { unit in
            for number in range { try unit.upsertEvent(id: "e-\(number)") { $0.eventTypeId = "t" } }
        }
    }

    private func count(_ path: String) throws -> Int {
        try LocalStoreFactory(path: path).makeReader().counts()[.event] ?? 0
    }

    private func change(_ path: String, _ sql: String) throws {
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: sql) }
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    @Test("a copy is one file for its owner alone, and a store like any other")
    func copy() async throws {
        try put(0..<100)
        let path = folder.path("copy.sqlite")
        let summary = try await store.backUp(to: path)
        #expect(summary.counts[.event] == 100)
        #expect(try !files.contains { $0.hasPrefix("copy.sqlite-") || $0.hasSuffix(".part") })
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try count(path) == 100)
    }

    @Test("a copy taken while others write holds whole saves")
    func whileWriting() async throws {
        try put(0..<10)
        let isDone = Flag()
        let path = store.path
        let (first, begun) = AsyncStream<Void>.makeStream()
        let writer = Task.detached {
            // Whoever waits for the first save must not wait for ever where it fails.
            defer { begun.finish() }
            let other = LocalStoreFactory(path: path)
            var number = 0
            while !isDone.isSet, number < 5_000 {
                // Pairs: a copy with half of one is no copy of any moment.
                try other.saving { unit in
                    for half in ["a", "b"] { try unit.upsertEvent(id: "p-\(number)-\(half)") { $0.eventTypeId = "t" } }
                }
                begun.finish()
                number += 1
            }
            return number
        }
        for await _ in first {}
        var counts: [Int] = []
        for number in 0..<8 {
            let copy = folder.path("copy-\(number).sqlite")
            try await store.backUp(to: copy)
            counts.append(try count(copy))
        }
        isDone.set()
        #expect(try await writer.value > 0)
        #expect(counts.allSatisfy { $0 % 2 == 0 } && counts == counts.sorted())
    }

    @Test("a copy that cannot be made leaves what has its name as it was")
    func failedCopy() async throws {
        try put(0..<3)
        let path = folder.path("copy.sqlite")
        try await store.backUp(to: path)
        let damaged = LocalStoreFactory(path: folder.path("damaged.sqlite"))
        try Data("no database".utf8).write(to: URL(fileURLWithPath: damaged.path))
        await #expect(throws: StoreError.self) { try await damaged.backUp(to: path) }
        #expect(try count(path) == 3)
        await #expect(throws: StoreError.self) { try await store.backUp(to: store.path) }
        await #expect(throws: StoreError.self) { try await store.backUp(to: folder.path("none/copy.sqlite")) }
        #expect(try count(store.path) == 3)
    }

    @Test("restoring gives what the copy holds, to those too who have the store open, and keeps what was there")
    func restore() async throws {
        try put(0..<50)
        try store.saving { unit in
            try unit.setMetadata("lease", "x")
            try unit.insertMutation(
                PendingMutation(
                    clientRequestId: "c", entityType: .event, operation: .create, entityId: "e-0",
                    createdAt: Timestamp(milliseconds: 0)))
        }
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        let open = LocalStoreFactory(path: store.path)
        try put(50..<80, in: open)
        try open.saving { try $0.deleteEvent(id: "e-1") }
        let previous = folder.path("previous.sqlite")
        let summary = try await store.restore(from: copy, keepingPreviousAt: previous, forgetting: ["lease"])
        #expect(summary.counts[.event] == 50 && summary.pending == 1)
        for factory in [open, store, LocalStoreFactory(path: store.path)] {
            #expect(try factory.makeReader().counts()[.event] == 50)
            #expect(try factory.makeReader().metadata("lease") == nil)
            #expect(try factory.makeReader().find(Event.self, id: "e-1") != nil)
        }
        #expect(try count(previous) == 79)
        #expect(try await store.checkIntegrity() == [])
        // It may have been sent since.
        #expect(try store.makeReader().mutations().map(\.state) == [.sending])
        // Numbers that were given are not given again, and whoever had it open goes on writing to the same store.
        try put(100..<101, in: open)
        #expect(try store.makeReader().counts()[.event] == 51)
        #expect(try !files.contains { $0.hasSuffix(".restore") || $0.hasSuffix(".part") })
    }

    @Test("nothing that was written before the restore is missing from what was kept")
    func noLostWrites() async throws {
        try put(0..<10)
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        let previous = folder.path("previous.sqlite")
        let (path, isDone) = (store.path, Flag())
        let (first, begun) = AsyncStream<Void>.makeStream()
        let writer = Task.detached {
            // Whoever waits for the first save must not wait for ever where it fails.
            defer { begun.finish() }
            let other = LocalStoreFactory(path: path)
            var number = 0
            while !isDone.isSet, number < 5_000 {
                try other.saving { try $0.upsertEvent(id: "w-\(number)") { $0.eventTypeId = "t" } }
                if number == 3 { begun.finish() }
                number += 1
            }
            return number
        }
        for await _ in first {}
        try await store.restore(from: copy, keepingPreviousAt: previous)
        isDone.set()
        let written = try await writer.value
        let before = try Set(LocalStoreFactory(path: previous).makeReader().fetch(Event.self).map(\.id))
        let after = try Set(store.makeReader().fetch(Event.self).map(\.id))
        #expect((0..<written).allSatisfy { before.contains("w-\($0)") || after.contains("w-\($0)") })
        #expect(!before.isSuperset(of: (0..<written).map { "w-\($0)" }) || after.count == 10)
    }

    @Test("who must not restore now changes nothing")
    func refused() async throws {
        try put(0..<10)
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        try store.saving { try $0.setMetadata("lease", "held") }
        try put(10..<20)
        let previous = folder.path("previous.sqlite")
        struct Held: Error {}
        await #expect(throws: Held.self) {
            try await store.restore(from: copy, keepingPreviousAt: previous) { metadata in
                if try metadata("lease") == "held" { throw Held() }
            }
        }
        #expect(try store.makeReader().counts()[.event] == 20)
        #expect(!FileManager.default.fileExists(atPath: previous))
        try Data().write(to: URL(fileURLWithPath: previous))
        await #expect(throws: StoreError.self) { try await store.restore(from: copy, keepingPreviousAt: previous) }
        #expect(try store.makeReader().counts()[.event] == 20)
    }

    @Test("a damaged store is moved aside, and one that is not there is made")
    func damaged() async throws {
        try put(0..<5)
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        let other = LocalStoreFactory(path: folder.path("other.sqlite"))
        try Data("this is no database at all, though it is long enough".utf8)
            .write(to: URL(fileURLWithPath: other.path))
        let previous = folder.path("previous")
        try await other.restore(from: copy, keepingPreviousAt: previous)
        #expect(try other.makeReader().counts()[.event] == 5)
        #expect(try String(contentsOfFile: previous, encoding: .utf8).hasPrefix("this is no database"))
        let fresh = LocalStoreFactory(path: folder.path("new/home/trendy.sqlite"))
        try await fresh.restore(from: copy, keepingPreviousAt: folder.path("none"))
        #expect(try fresh.makeReader().counts()[.event] == 5)
    }

    @Test("a backup is looked through once, and refused where it was changed since")
    func inspectedOnce() async throws {
        try put(0..<20)
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        let found = try await store.inspectBackup(at: copy)
        let all = try await checks(of: copy, inspected: nil)
        #expect(try await checks(of: copy, inspected: found) == all - 2)
        try change(copy, "UPDATE event SET notes = 'changed'")
        await #expect(
            throws: StoreError.inaccessible("\(copy) was changed since it was looked at; run the command again")
        ) {
            try await checks(of: copy, inspected: found)
        }
        #expect(try store.makeReader().find(Event.self, id: "e-1")?.entity.notes != "changed")
    }

    /// How often a restore tells that it looks through a copy: twice for each, at its beginning and at its end.
    private func checks(of copy: String, inspected: StoreSummary?) async throws -> Int {
        let count = Mutex(0)
        let previous = folder.path("previous-\(UUID().uuidString)")
        try await store.restore(
            from: copy, inspected: inspected, keepingPreviousAt: previous,
            progress: { if $0.step == .checking { count.withLock { $0 += 1 } } })
        return count.withLock { $0 }
    }

    @Test("what is no store, damaged, or of a newer version is refused, and the store stays as it is")
    func foreign() async throws {
        try put(0..<5)
        let copy = folder.path("copy.sqlite")
        try await store.backUp(to: copy)
        let newer = folder.path("newer.sqlite")
        try FileManager.default.copyItem(atPath: copy, toPath: newer)
        try change(newer, "INSERT INTO sync_migration VALUES ('future-9')")
        let other = folder.path("other.sqlite")
        try change(other, "CREATE TABLE note (id)")
        let cut = folder.path("cut.sqlite")
        try Data(contentsOf: URL(fileURLWithPath: copy)).prefix(30_000).write(to: URL(fileURLWithPath: cut))
        let empty = folder.path("empty.sqlite")
        try Data().write(to: URL(fileURLWithPath: empty))
        for path in [newer, other, cut, empty, folder.path("none")] {
            await #expect(throws: StoreError.self, "\(path)") {
                try await store.restore(from: path, keepingPreviousAt: folder.path("previous"))
            }
            await #expect(throws: StoreError.self, "\(path)") { try await store.inspectBackup(at: path) }
        }
        await #expect(throws: StoreError.newerVersion(found: "future-9", supported: "trendy-records-1")) {
            try await store.inspectBackup(at: newer)
        }
        #expect(try store.makeReader().counts()[.event] == 5)
        #expect(
            try !files.contains("previous") && !files.contains { $0.contains(".restore") || $0.contains(".inspect") })
    }
}

/// Set once, by whoever wants another to stop.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
