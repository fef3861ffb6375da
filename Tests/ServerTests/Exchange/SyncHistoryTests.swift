import Foundation
import GRDB
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The history of an account")
struct SyncHistoryTests {
    private let world: ServerWorld
    private let peer: ExchangePeer

    init() throws {
        world = try ServerWorld()
        peer = ExchangePeer(world)
        _ = try world.create(EventType.sample())
    }

    @Test("is proven by cursors that are older than runs, as far as it went when the first run began")
    func cursorsWithoutRun() async throws {
        try world.setHistory { $0.run = "" }
        let epoch = try await peer.sync().epoch
        func ask(_ cursor: String) throws -> SyncResponse { try world.sync(SyncRequest(epoch: epoch, cursor: cursor)) }
        #expect(try await peer.sync().cursor == "1" && ask("1").changes.isEmpty)
        _ = try world.create(Event.sample(2))
        #expect(try ask("1").changes.map(\.revision) == [2] && ask("0").changes.count == 2)
        let late = problem { try ask("2") }
        #expect(late?.kind == .epochChanged)
        // It has another name now, and no run proves that such a device knew none but this history.
        #expect(problem { try ask("1") }?.kind == .epochChanged)
    }

    @Test("keeps one row for each run that has written in it, however often several servers take turns")
    func severalServers() async throws {
        let servers = try [world] + (2...4).map { try ServerWorld(store: world.store, clock: world.clock, seed: $0) }
        let peers = servers.map { server in (0..<2).map { ExchangePeer(server, named: "\($0)") } }
        for round in UInt64(0)..<6 {
            for (index, server) in servers.enumerated() {
                _ = try server.create(Event.sample(10 + round * 4 + UInt64(index)))
                // Each has a cursor of one server, and brings it to the next.
                let (one, other) = (peers[index][0], peers[(index + 1) % 4][0])
                try await one.catchUp()
                (other.epoch, other.cursor) = (one.epoch, one.cursor)
                #expect(try await other.sync().changes.isEmpty)
            }
        }
        _ = try ServerWorld(store: world.store, clock: world.clock, seed: 9).sync(SyncRequest())
        #expect(try endedRuns() == 4)
    }

    /// How many runs are known to have ended.
    private func endedRuns() throws -> Int64? {
        let store = try #require(world.store as? SQLiteServerStore)
        return try store.database.read { try $0.row("SELECT count(*) FROM run", [])?[0] as Int64? }
    }

    @Test("is another one where SQLite puts data back beneath a server that stays up, however far that writes on")
    func putBack() async throws {
        let store = try #require(world.store as? SQLiteServerStore)
        try await checkPutBack(world) {
            let copy = try store.copied()
            return { try copy.database.backup(to: store.database) }
        }
    }

    @Test("is another one where rows are put back one by one beneath a server that stays up")
    func putBackRows() async throws {
        let world = self.world
        try await checkPutBack(world) {
            let history = try world.store.read("ann") { try $0.history() }
            let before = try #require(history)
            return { try world.putBack(before) }
        }
    }

    @Test("is another one where another program restores a backup into the file that a server has open")
    func restoredFile() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            let store = try SQLiteServerStore(file: file)
            let world = try ServerWorld(store: store)
            _ = try world.create(EventType.sample())
            try await checkPutBack(world) {
                let copy = try store.copied()
                return { try copy.database.backup(to: DatabaseQueue(path: file.path)) }
            }
        }
    }

    @Test("is another one also where a second server has written beyond what the first one has lost")
    func putBackBeneathTwo() async throws {
        let other = try ServerWorld(store: world.store, clock: world.clock, seed: 2)
        let history = try world.store.read("ann") { try $0.history() }
        let before = try #require(history)
        for number in UInt64(2)...4 { _ = try world.create(Event.sample(number)) }
        try await peer.catchUp()
        try world.putBack(before)
        for number in UInt64(10)...15 { _ = try other.create(Event.sample(number)) }
        _ = try world.create(Event.sample(20))
        #expect(await refusal(of: peer)?.kind == .epochChanged)
    }

    @Test("is written on by the same run after changes that were undone for want of room for their answers")
    func undone() throws {
        for number in UInt64(2)...4 {
            let body = try WireCoding.encode(Event.sample(number))
            let write = try world.records.prepareCreate(.event, body, beneath: nil, WriteContext(userId: "ann"))
            let crowded = write.holding { _ in throw ServerProblem(.unavailable, "there is no room") }
            #expect(problem { try crowded.commit() }?.kind == .unavailable)
            #expect(try write.commit().outcome == .created)
        }
        #expect(try endedRuns() == 0)
    }

    @Test("has a place for each device: one that is none of this server's is refused")
    func strangeCursor() async throws {
        try await peer.sync()
        let run = try #require(peer.cursor?.split(separator: "~").last)
        for text in [
            "", "x", "-1", "1.2", "1.event.2", "1.event.x.3", "1.meal.0.~\(run)", "~r", "1~r~x", "1~r~0", "1~r~2~3",
        ] {
            peer.cursor = text
            #expect(await refusal(of: peer)?.errors.map(\.field) == ["cursor"], "\(text)")
        }
        (peer.epoch, peer.cursor) = (nil, "1")
        #expect(await refusal(of: peer)?.errors.map(\.field) == ["epoch"])
    }

    private func refusal(of peer: ExchangePeer) async -> ServerProblem? {
        await #expect(throws: ServerProblem.self) { try await peer.sync() }
    }
}
