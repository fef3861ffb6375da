import Foundation
import SyncCounter
import Testing
import TrendyDomain
import TrendyServer

@Suite("What a server has acknowledged")
struct DurabilityTests {
    @Test("is on disk: each commit waits for it")
    func commits() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let syncs = sync_counter_begin(folder.path)
            let world = try ServerWorld(store: SQLiteServerStore(file: folder.appending(path: "server.sqlite")))
            let before = sync_counter_value(syncs)
            _ = try world.create(EventType.sample())
            for number in 2...100 { _ = try world.create(Event.sample(UInt64(number))) }
            #expect(sync_counter_value(syncs) - before >= 100)
        }
    }
}
