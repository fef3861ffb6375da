import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("An idempotency key")
struct IdempotencyTests {
    let world: ServerWorld

    init() throws {
        world = try ServerWorld()
        _ = try world.create(EventType.sample())
    }

    @Test("gives the first outcome again, with the record as it is now, and does nothing")
    func replay() throws {
        let first = try world.create(Event.sample(2, notes: "a"), key: "k")
        world.clock.advance(bySeconds: 3600)
        let same = try world.create(Event.sample(2, notes: "a"), key: "k")
        #expect(same.isReplay && same.outcome == .created && same.document == first.document)
        let second = try world.update(.event, id(2), ["notes": "b"], key: "k")
        let again = try world.create(Event.sample(2, notes: "a"), key: "k")
        #expect(again.isReplay && again.outcome == .created && again.document == second.document)
        _ = try world.update(.event, id(2), ["notes": "c"])
        let last = try world.update(.event, id(2), ["notes": "b"], key: "k")
        #expect(last.isReplay && last.outcome == .updated)
        #expect(try world.get(.event, id(2))["notes"] == "c")
        #expect(try world.records.latestCursor(userId: "ann") == 4)
    }

    @Test("finds the record of a sample, under whatever id it came")
    func upsert() throws {
        var event = Event.sample(2)
        (event.sourceType, event.healthKitSampleId) = (.healthKit, "sample")
        _ = try world.create(event)
        event.id = id(3)
        #expect(try world.create(event, key: "k").outcome == .replaced)
        let again = try world.create(event, key: "k")
        #expect(again.isReplay && again.outcome == .replaced)
        #expect(try WireCoding.decode(Event.self, from: try #require(again.document)).id == id(2))
    }

    @Test("does not bring back what was deleted meanwhile")
    func noResurrection() throws {
        _ = try world.create(Event.sample(2), key: "k")
        let deletion = { try world.records.delete(.event, id: id(2), WriteContext(userId: "ann", idempotencyKey: "d")) }
        #expect(try deletion() == WriteReply(.deleted, nil))
        #expect(problem { try world.create(Event.sample(2), key: "k") }?.kind == .notFound)
        #expect(try deletion() == WriteReply(.deleted, nil, isReplay: true))
        #expect(problem { try world.get(.event, id(2)) }?.kind == .notFound)
    }

    @Test("belongs to one body and one record of one user and route")
    func binding() throws {
        _ = try world.create(Event.sample(2), key: "k")
        _ = try world.create(Event.sample(3), key: "l")
        #expect(problem { try world.create(Event.sample(2, notes: "other"), key: "k") }?.kind == .keyReused)
        #expect(problem { try world.create(Event.sample(3), key: "k") }?.kind == .keyReused)
        _ = try world.update(.event, id(2), ["notes": "x"], key: "k")
        #expect(problem { try world.update(.event, id(3), ["notes": "x"], key: "k") }?.kind == .keyReused)
        #expect(try world.create(EventType.sample(8), for: "bob", key: "k").outcome == .created)
        #expect(problem { try world.create(Event.sample(4), key: "") }?.kind == .validation)
        #expect(problem { try world.create(Event.sample(4), key: String(repeating: "k", count: 256)) } != nil)
    }

    @Test("keeps no refusal: the same request may succeed later")
    func refusalsAreNotKept() throws {
        #expect(problem { try world.create(Event.sample(2, type: 7), key: "k") } != nil)
        _ = try world.create(EventType.sample(7, name: "tea"))
        #expect(try world.create(Event.sample(2, type: 7), key: "k").outcome == .created)
    }

    @Test("is forgotten after 30 days")
    func expiry() throws {
        _ = try world.create(Event.sample(2), key: "k")
        world.pass(seconds: 30 * 86_400 - 1)
        #expect(try world.create(Event.sample(2), key: "k").isReplay)
        world.pass(seconds: 2)
        #expect(try world.create(Event.sample(2, notes: "other"), key: "k").outcome == .replaced)
    }

    @Test("survives a restart of the server on the same data")
    func restart() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "server.sqlite")
            let before = try ServerWorld(store: SQLiteServerStore(file: file))
            let first = try before.create(EventType.sample(), key: "k")
            let after = try ServerWorld(store: SQLiteServerStore(file: file))
            let again = try after.create(EventType.sample(), key: "k")
            #expect(again.isReplay && again.document == first.document)
            #expect(try after.feed("ann").changes.count == 1)
        }
    }
}
