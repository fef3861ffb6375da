import Foundation
import SyncCounter
import Synchronization
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("What a server has acknowledged")
struct DurabilityTests {
    /// Runs the body with a server on a disk, and with a function that counts the waits for the disk since its last call.
    private func withDisk(_ body: (ServerWorld, () -> Int) throws -> Void) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let syncs = sync_counter_begin(folder.path)
            let world = try ServerWorld(store: SQLiteServerStore(file: folder.appending(path: "server.sqlite")))
            var before = sync_counter_value(syncs)
            try body(world) {
                defer { before = sync_counter_value(syncs) }
                return sync_counter_value(syncs) - before
            }
        }
    }

    @Test("is on disk: each commit waits for it once")
    func commits() async throws {
        try await withDisk { world, syncs in
            _ = try world.create(EventType.sample())
            _ = syncs()
            for number in 2...100 { _ = try world.create(Event.sample(UInt64(number))) }
            #expect(syncs() == 99)
            _ = try world.list(.event)
            #expect(throws: ServerProblem.self) { try world.create(Event.sample(200, type: 9)) }
            #expect(syncs() == 0)
        }
    }

    @Test("is on disk for all requests that waited together, with one wait")
    func groups() async throws {
        try await withDisk { world, syncs in
            _ = try world.create(EventType.sample())
            _ = syncs()
            let accepted = Accepted()
            let jobs = (2...60).map { number in
                WriteJob("ann") { transaction throws in
                    let history = try #require(try transaction.history())
                    try transaction.save(AccountHistory(epoch: history.epoch, head: history.head + 1))
                } then: { result in
                    if case .success = result { accepted.count.withLock { $0 += 1 } }
                }
            }
            world.store.write(jobs)
            #expect(syncs() == 1)
            #expect(accepted.count.withLock { $0 } == 59)
            #expect(try world.records.latestCursor(userId: "ann") == 60)
        }
    }

    @Test("fills less than 600 bytes of the disk for an event, with its key and all indexes")
    func size() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            do {
                let world = try ServerWorld(store: SQLiteServerStore(file: file))
                _ = try world.create(EventType.sample())
                let ids = UUIDv7Generator(clock: world.clock)
                for _ in 0..<10 {
                    let mutations = try (0..<2_000).map { _ in
                        let event = Event(
                            id: ids.makeId(), eventTypeId: id(1), timestamp: world.clock.now(),
                            notes: "a note of some words", externalId: "import-row-12345")
                        return SyncMutation(
                            key: ids.makeId(), entityType: .event, operation: .create,
                            entityId: event.id, data: .object(try WireCoding.fields(of: event)))
                    }
                    #expect(try world.sync(SyncRequest(mutations: mutations)).head > 2_000)
                }
            }
            let bytes = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
                try FileManager.default.attributesOfItem(atPath: folder.appending(path: $0).path)[.size] as? Int ?? 0
            }
            #expect(bytes.reduce(0, +) / 20_000 < 600, "\(bytes)")
        }
    }
}

private final class Accepted: Sendable {
    let count = Mutex(0)
}
