import Foundation
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The record service")
struct RecordServiceTests {
    let world: ServerWorld

    init() throws {
        world = try ServerWorld()
        _ = try world.create(EventType.sample())
    }

    @Test("a write is in the feed with the whole record as it is served")
    func feedHoldsRecord() throws {
        let event = Event.sample(2, notes: "first \"cup\"\n☕️")
        let reply = try world.create(event)
        #expect(reply.outcome == .created)
        let served = try WireCoding.decode(
            Remote<Event>.self, from: world.records.get(.event, id: id(2), userId: "ann"))
        #expect(served.entity == event)
        #expect(
            served.server == ServerFields(userId: "ann", createdAt: world.clock.now(), updatedAt: world.clock.now()))
        let last = try #require(try world.feed("ann").changes.last)
        #expect(last.operation == .create && last.entityId == id(2) && last.entityType == .event)
        #expect(last.data == .object(try world.get(.event, id(2))))
        #expect(reply.document == (try world.records.get(.event, id: id(2), userId: "ann")))
    }

    @Test("the same record again changes nothing, another body under its id replaces it")
    func createAgain() throws {
        _ = try world.create(Event.sample(2, notes: "a"))
        world.clock.advance(bySeconds: 1)
        #expect(try world.create(Event.sample(2, notes: "a")).outcome == .replaced)
        #expect(try world.feed("ann").changes.count == 2)
        #expect(try world.create(Event.sample(2, notes: "b")).outcome == .replaced)
        let record = try world.get(.event, id(2))
        #expect(record["notes"] == "b")
        #expect(record["created_at"] == .string(ManualWallClock.defaultStart.description))
        #expect(record["updated_at"] == .string(world.clock.now().description))
        #expect(try world.feed("ann").changes.map(\.id) == [1, 3])
        #expect(try world.feed("ann", since: 2).changes.map(\.operation) == [.update])
    }

    @Test("a record does not grow older where the clock was set back")
    func clockSetBack() throws {
        _ = try world.create(Event.sample(2, notes: "a"))
        let made = try world.get(.event, id(2))["updated_at"]
        world.clock.advance(bySeconds: -60)
        _ = try world.update(.event, id(2), ["notes": "b"])
        let record = try world.get(.event, id(2))
        #expect(record["notes"] == "b" && record["updated_at"] == made)
    }

    @Test("a patch changes what it names, clears what is null and keeps the rest")
    func patch() throws {
        var event = Event.sample(2, notes: "a")
        event.externalId = "x"
        event.properties = ["km": .number(5)]
        _ = try world.create(event)
        let reply = try world.update(.event, id(2), ["notes": nil, "original_title": "t", "no_such_field": 1])
        #expect(reply.outcome == .updated)
        event.notes = nil
        event.originalTitle = "t"
        #expect(try WireCoding.decode(Event.self, from: try #require(reply.document)) == event)
        #expect(try world.get(.event, id(2))["notes"] == nil)
    }

    @Test("a patch that leads to a bad record is refused, and the record stays")
    func badPatch() throws {
        _ = try world.create(Event.sample(2, notes: "a"))
        for (changes, field) in [
            (["timestamp": nil], "timestamp"), (["timestamp": "yesterday"], "timestamp"),
            (["location_latitude": 91, "location_longitude": 0], "location_latitude"), (["notes": 5], "notes"),
            (["event_type_id": .string(id(99))], "event_type_id"), (["id": .string(id(3))], "id"),
        ] as [(JSONValue, String)] {
            let problem = problem { try world.update(.event, id(2), changes) }
            #expect(problem?.kind == .validation && problem?.errors.first?.field == field, "\(changes)")
        }
        #expect(try world.get(.event, id(2))["notes"] == "a")
        #expect(try world.feed("ann").changes.count == 2)
    }

    @Test("records of another user are as if they were not there")
    func isolation() throws {
        _ = try world.create(EventType.sample(10, name: "tea"), for: "bob")
        _ = try world.create(Event.sample(2))
        #expect(problem { try world.get(.event, id(2), for: "bob") }?.kind == .notFound)
        #expect(problem { try world.update(.event, id(2), ["notes": "x"], for: "bob") }?.kind == .notFound)
        #expect(problem { try world.create(Event.sample(2, type: 10), for: "bob") }?.kind == .notFound)
        #expect(
            problem { try world.records.delete(.event, id: id(2), WriteContext(userId: "bob")) }?.kind == .notFound)
        let foreign = problem { try world.create(Event.sample(3), for: "bob") }
        #expect(foreign?.kind == .validation && foreign?.errors.first?.field == "event_type_id")
        #expect(foreign?.detail.contains("does not exist") == true)
        #expect(try world.list(.event, for: "bob") == [])
        #expect(try world.feed("bob").changes.map(\.entityId) == [id(10)])
        #expect(try world.get(.event, id(2))["notes"] == nil)
    }

    @Test("names are unique for each user, however they are spelt, and are kept as they were written")
    func naturalKeys() throws {
        for name in ["coffee", "Coffee", "ｃｏｆｆｅｅ", "coffee\u{200B} "] {
            #expect(problem { try world.create(EventType.sample(2, name: name)) }?.kind == .conflict, "\(name)")
        }
        _ = try world.update(.eventType, id(1), ["name": "COFFEE "])
        #expect(try world.get(.eventType, id(1))["name"] == "COFFEE ")
        _ = try world.create(EventType.sample(2, name: "Tea"))
        _ = try world.create(EventType.sample(3), for: "bob")
        let rename = problem { try world.update(.eventType, id(2), ["name": "coffee"]) }
        #expect(rename?.kind == .conflict && rename?.errors.first?.code == "duplicate")
        _ = try world.records.delete(.eventType, id: id(1), WriteContext(userId: "ann"))
        #expect(try world.update(.eventType, id(2), ["name": "coffee"]).outcome == .updated)
    }

    @Test("property keys are unique within their type")
    func compoundNaturalKey() throws {
        _ = try world.create(EventType.sample(2, name: "run"))
        func definition(_ number: UInt64, type: UInt64, key: String) -> PropertyDefinition {
            PropertyDefinition(
                id: id(number), eventTypeId: id(type), key: key, label: key, propertyType: .number)
        }
        _ = try world.create(definition(3, type: 1, key: "size"))
        _ = try world.create(definition(4, type: 2, key: "size"))
        #expect(problem { try world.create(definition(5, type: 2, key: "size")) }?.kind == .conflict)
        #expect(
            problem { try world.update(.propertyDefinition, id(4), ["event_type_id": .string(id(1))]) }?.kind
                == .conflict)
    }

    @Test("two events of one type may have the same time, and lists have the newest first")
    func sameTime() throws {
        for number in [UInt64(2), 3, 4] { _ = try world.create(Event.sample(number, at: 5)) }
        _ = try world.create(Event.sample(5, at: -5))
        _ = try world.create(Event.sample(6, at: 50))
        #expect(try world.list(.event) == [id(6), id(4), id(3), id(2), id(5)])
        #expect(try world.list(.event, limit: 2, offset: 1) == [id(4), id(3)])
    }

    @Test("a page is what its offset asks for, also when something changed since the page before")
    func pagesWhileChanging() throws {
        for number in UInt64(2)...9 { _ = try world.create(Event.sample(number)) }
        #expect(try world.list(.event, limit: 3) == [9, 8, 7].map { id($0) })
        #expect(try world.list(.event, limit: 3, offset: 3) == [6, 5, 4].map { id($0) })
        #expect(try world.list(.event, limit: 3, offset: 6) == [3, 2].map { id($0) })
        _ = try world.records.delete(.event, id: id(8), WriteContext(userId: "ann"))
        #expect(try world.list(.event, limit: 3, offset: 3) == [5, 4, 3].map { id($0) })
        _ = try world.create(Event.sample(20))
        #expect(try world.list(.event, limit: 3, offset: 3) == [6, 5, 4].map { id($0) })
        #expect(try world.list(.event, limit: 2, offset: 6) == [3, 2].map { id($0) })
    }

    @Test("an id from the future is refused")
    func futureId() throws {
        let early = UUIDv7Generator(clock: ManualWallClock(world.clock.now().advanced(bySeconds: 59)))
        let late = UUIDv7Generator(clock: ManualWallClock(world.clock.now().advanced(bySeconds: 62)))
        var event = Event.sample(2)
        event.id = late.makeId()
        #expect(problem { try world.create(event) }?.kind == .futureTimestamp)
        event.id = early.makeId()
        #expect(try world.create(event).outcome == .created)
    }

    @Test("a HealthKit sample is one event, whatever id it comes with")
    func healthKit() throws {
        var first = Event.sample(2)
        first.sourceType = .healthKit
        first.healthKitSampleId = "sample"
        _ = try world.create(first)
        var again = first
        again.id = id(3)
        again.notes = "again"
        let reply = try world.create(again)
        #expect(reply.outcome == .replaced)
        let served = try WireCoding.decode(Event.self, from: try #require(reply.document))
        #expect(served.id == id(2) && served.notes == "again")
        #expect(try world.list(.event) == [id(2)])
        again.sourceType = .manual
        #expect(try world.create(again).outcome == .created)
        #expect(problem { try world.update(.event, id(3), ["source_type": "healthkit"]) }?.kind == .conflict)
    }

    @Test("the summary counts each kind and knows the end of the feed")
    func summary() throws {
        _ = try world.create(Event.sample(2))
        let summary = try world.records.summary(userId: "ann")
        #expect(summary.counts == ["event": 1, "event_type": 1, "geofence": 0, "property_definition": 0])
        #expect(summary.latestCursor == (try world.feed("ann").nextCursor))
    }
}
