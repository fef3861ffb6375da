import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

/// Records of an account from before names were compared by their keys.
@Suite("Two records of one name on the server")
struct SameNamesTests {
    private let world: ServerWorld
    private let peer: ExchangePeer

    init() throws {
        world = try ServerWorld()
        peer = ExchangePeer(world)
        _ = try world.create(EventType.sample(1, name: "coffee"))
        _ = try world.create(EventType.sample(2, name: "tea"))
        try world.store.write("ann") { [now = world.clock.now()] transaction in
            let document = try WireCoding.encode(EventType.sample(3, name: "Coffee"))
            let record = StoredRecord(
                key: RecordKey(.eventType, id(3)), document: document, createdAt: now, updatedAt: now, revision: 3,
                createdRevision: 3)
            let history = try #require(try transaction.history())
            try transaction.save(AccountHistory(epoch: history.epoch, head: 3))
            try transaction.save([RecordWrite(record: record, index: RecordIndex(naturalKey: "coffee"))])
            try transaction.add([.eventType: RecordUsage(records: 1, bytes: Int64(document.count))])
        }
    }

    @Test("stay, and each can be changed and respelt")
    func changed() async throws {
        try await peer.catchUp()
        let answer = try await peer.sync([
            peer.update(.eventType, id(3), base: 3, ["icon": "cup"]),
            peer.update(.eventType, id(1), base: 1, ["name": "COFFEE"]),
        ])
        #expect(answer.results.map(\.outcome) == [.accepted, .accepted])
        #expect(try world.update(.eventType, id(3), ["name": "coffee "]).outcome == .updated)
        #expect(try world.create(EventType.sample(3, name: "ｃoffee")).outcome == .replaced)
        #expect(try world.get(.eventType, id(1))["name"] == "COFFEE")
    }

    @Test("a third of that name is the oldest one, also after the two have changed in the same request")
    func third() async throws {
        try await peer.catchUp()
        let answer = try await peer.sync([
            peer.create(EventType.sample(4, name: "cOffee")), peer.update(.eventType, id(3), base: 3, ["icon": "cup"]),
            peer.create(EventType.sample(5, name: "coffEe")),
            peer.update(.eventType, id(2), base: 2, ["name": "Coffee"]),
            peer.update(.eventType, id(1), base: 1, ["icon": "mug"]), peer.create(EventType.sample(6, name: "COFFEE")),
        ])
        #expect(
            answer.results.map(\.outcome)
                == [.duplicate, .accepted, .duplicate, .rejected, .accepted, .duplicate])
        for result in answer.results where result.outcome == .duplicate {
            #expect(result.record?["id"] == .string(id(1)))
        }
        #expect(problem { try world.create(EventType.sample(7, name: "Coffee")) }?.kind == .conflict)
    }

    @Test("one that takes the place of a deleted one in the same request is the other of the two")
    func deleted() async throws {
        try await peer.catchUp()
        let answer = try await peer.sync([
            peer.delete(.eventType, id(1), base: 1), peer.create(EventType.sample(4, name: "COFFEE")),
            peer.update(.eventType, id(3), base: 3, ["name": "mocha"]),
            peer.create(EventType.sample(5, name: "COFFEE")),
        ])
        #expect(answer.results.map(\.outcome) == [.accepted, .duplicate, .accepted, .accepted])
        #expect(answer.results[1].record?["id"] == .string(id(3)))
    }
}
