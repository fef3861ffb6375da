import Foundation
import SyncCounter
import Testing
import TrendyData
import TrendyDomain

@Suite("What a store has saved")
struct StoreDurabilityTests {
    private let folder: TemporaryFolder
    private let syncs: OpaquePointer

    init() throws {
        folder = try TemporaryFolder()
        syncs = sync_counter_begin(folder.url.path)
    }

    /// How often the work has SQLite wait for the disk.
    private func count(_ work: () throws -> Void) rethrows -> Int {
        let before = sync_counter_value(syncs)
        try work()
        return sync_counter_value(syncs) - before
    }

    private func save(_ range: Range<Int>, in store: LocalStoreFactory) throws {
        for number in range { try store.saving { try $0.upsertEvent(id: "e-\(number)") { $0.eventTypeId = "t" } } }
    }

    @Test("is on disk: each save waits for it, by whichever connection and since the store was made")
    func saves() throws {
        let store = LocalStoreFactory(path: folder.path("trendy.sqlite"))
        try store.open()
        #expect(try count { try save(0..<20, in: store) } >= 20)
        let units = try (0..<4).map { _ in try store.makeDataStore() }
        for (number, unit) in units.enumerated() {
            let waits = try count {
                try unit.upsertEvent(id: "e-\(number)") { $0.notes = "by another connection" }
                try unit.save()
            }
            #expect(waits >= 1)
        }
        let again = LocalStoreFactory(path: store.path)
        #expect(try count { try save(20..<40, in: again) } >= 20)
    }

    @Test("is on disk also after a restore, and in a restored store")
    func restored() async throws {
        let store = LocalStoreFactory(path: folder.path("trendy.sqlite"))
        try save(0..<1, in: store)
        let backup = folder.path("backup.sqlite")
        let beforeBackup = sync_counter_value(syncs)
        try await store.backUp(to: backup)
        #expect(sync_counter_value(syncs) > beforeBackup)
        try await store.restore(from: backup, keepingPreviousAt: folder.path("previous.sqlite"))
        #expect(try count { try save(1..<21, in: store) } >= 20)
        let new = LocalStoreFactory(path: folder.path("new.sqlite"))
        try await new.restore(from: backup, keepingPreviousAt: folder.path("none.sqlite"))
        #expect(try count { try save(1..<21, in: new) } >= 20)
    }
}
