import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("Writers at the same time")
struct ConcurrencyTests {
    private static let writers = 4
    private static let writesEach = 40

    @Test("a reader who follows the feed misses nothing, whatever the writers do")
    func feedIsComplete() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = try SQLiteServerStore(file: folder.appending(path: "server.sqlite"))
            let world = try ServerWorld(store: store)
            _ = try world.create(EventType.sample())
            let seen = try await withThrowingTaskGroup(of: [ChangeEntry].self) { group in
                for writer in 0..<Self.writers {
                    group.addTask {
                        for number in 0..<Self.writesEach {
                            _ = try world.create(Event.sample(UInt64(1000 * (writer + 1) + number)))
                            await Task.yield()
                        }
                        return []
                    }
                }
                group.addTask { try await follow(world, until: Self.writers * Self.writesEach + 1) }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let expected = (1...Self.writers).flatMap { writer in
                (0..<Self.writesEach).map { id(UInt64(1000 * writer + $0)) }
            }
            #expect(seen.dropFirst().map(\.entityId).sorted() == expected.sorted())
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.id < $1.id })
        }
    }

    @Test("two processes may serve one database: neither is told that it is locked")
    func twoStores() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            let worlds = try [
                ServerWorld(store: SQLiteServerStore(file: file)), ServerWorld(store: SQLiteServerStore(file: file)),
            ]
            _ = try worlds[0].create(EventType.sample())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, world) in worlds.enumerated() {
                    group.addTask {
                        for number in 0..<30 {
                            _ = try world.create(Event.sample(UInt64(100 * (index + 1) + number)))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try worlds[0].list(.event).count == 60)
            #expect(try worlds[1].feed("ann").changes.count == 61)
        }
    }

    /// Reads the feed as a device does, by the cursor of the page before, until so many entries were seen.
    private func follow(_ world: ServerWorld, until count: Int) async throws -> [ChangeEntry] {
        var seen: [ChangeEntry] = []
        var cursor: Int64 = 0
        while seen.count < count {
            let page = try world.feed("ann", since: cursor, limit: 7)
            seen += page.changes
            cursor = page.nextCursor
            if page.changes.isEmpty, try world.list(.event).count == count - 1, !(try hasMore(world, cursor)) { break }
            await Task.yield()
        }
        return seen
    }

    private func hasMore(_ world: ServerWorld, _ cursor: Int64) throws -> Bool {
        try !world.feed("ann", since: cursor).changes.isEmpty
    }
}
