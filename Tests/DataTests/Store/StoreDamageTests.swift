import Foundation
import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("A store with damage inside")
struct StoreDamageTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeStore(_ name: String, events: Int) throws -> LocalStoreFactory {
        let store = LocalStoreFactory(path: folder.path(name))
        try store.saving { unit in
            for number in 0..<events {
                try unit.upsertEvent(id: "e-\(number)") {
                    $0.eventTypeId = "t"
                    $0.notes = String(repeating: "note \(number) ", count: 20)
                }
            }
            try unit.setMetadata("a", "b")
        }
        return store
    }

    /// The file of a store as one piece, without a log beside it.
    private func bytes(of path: String) throws -> Data {
        let queue = try DatabaseQueue(path: path)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test("a backup takes its place whichever page is damaged, and it is kept as it is where it cannot be copied")
    func everyPage() async throws {
        let backup = folder.path("backup.sqlite")
        try await makeStore("origin.sqlite", events: 3).backUp(to: backup)
        let whole: Data
        do {
            _ = try makeStore("damaged.sqlite", events: 300)
            whole = try bytes(of: folder.path("damaged.sqlite"))
        }
        let pageSize = 4096
        var aside = 0
        let pages = Array(0..<whole.count / pageSize)
        for damaged in pages.map({ [$0] }) + [[4, 9], pages] {
            let path = folder.path("store-\(damaged.count)-\(damaged[0]).sqlite")
            var bytes = whole
            for page in damaged {
                let range = page * pageSize..<(page + 1) * pageSize
                bytes.replaceSubrange(range, with: Data((0..<pageSize).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }))
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            let store = LocalStoreFactory(path: path)
            let previous = path + ".before"
            // Whoever asks about the store before it is replaced reads it, too.
            let summary = try await store.restore(
                from: backup, keepingPreviousAt: previous, permit: { _ = try $0("sync_lease") })
            #expect(summary.counts[.event] == 3, "page \(damaged)")
            #expect(try store.makeReader().counts()[.event] == 3, "page \(damaged)")
            #expect(try await store.checkIntegrity() == [], "page \(damaged)")
            #expect(FileManager.default.fileExists(atPath: previous), "page \(damaged)")
            if summary.isPreviousDamaged {
                aside += 1
                #expect(try Data(contentsOf: URL(fileURLWithPath: previous)) == bytes, "page \(damaged)")
            }
            LocalStoreFactory.remove(path, previous)
        }
        #expect(aside > pages.count / 2)
    }

    @Test("a refusal of who is asked is no damage, and nothing is moved")
    func refusal() async throws {
        struct Refusal: Error {}
        let backup = folder.path("backup.sqlite")
        let store = try makeStore("store.sqlite", events: 2)
        try await store.backUp(to: backup)
        let previous = folder.path("previous")
        await #expect(throws: Refusal.self) {
            try await store.restore(from: backup, keepingPreviousAt: previous, permit: { _ in throw Refusal() })
        }
        #expect(!FileManager.default.fileExists(atPath: previous))
        #expect(try store.makeReader().counts()[.event] == 2)
    }

    @Test("a folder in its place is told as one, with what helps")
    func folderInPlace() throws {
        let path = folder.path("trendy.sqlite")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(
            throws: StoreError.inaccessible("\(path) is a folder; move it away, or name another folder for the store")
        ) {
            try LocalStoreFactory(path: path).open()
        }
    }
}

extension LocalStoreFactory {
    fileprivate static func remove(_ paths: String...) {
        for path in paths.flatMap({ [$0, $0 + "-wal", $0 + "-shm"] }) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
