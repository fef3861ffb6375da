import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("What an account uses")
struct UsageTests {
    private let world: ServerWorld

    init() throws { world = try ServerWorld() }

    private func delete(_ type: EntityType, _ number: UInt64) throws {
        _ = try world.records.delete(type, id: id(number), WriteContext(userId: "ann"))
    }

    /// Compares what was added up with what is there, and answers it.
    @discardableResult
    private func check(_ location: SourceLocation = #_sourceLocation) throws -> [EntityType: RecordUsage] {
        let (usage, all) = try world.store.read("ann") {
            (try $0.usage(), try $0.changes(after: 0, upTo: .max, limit: .max, byteLimit: .max))
        }
        let live = Dictionary(grouping: all.filter { $0.document != nil }, by: \.key.entityType)
        let counted = live.mapValues { records in
            RecordUsage(
                records: Int64(records.count), bytes: records.reduce(0) { $0 + Int64($1.document?.count ?? 0) })
        }
        #expect(usage == counted, sourceLocation: location)
        let counts = try world.records.summary(userId: "ann").counts.filter { $0.value > 0 }
        let expected = live.map { ($0.key.rawValue, $0.value.count) }
        #expect(counts == Dictionary(expected) { $1 }, sourceLocation: location)
        return usage
    }

    @Test("follows what is made, edited, deleted and made again")
    func records() throws {
        #expect(try check() == [:])
        _ = try world.create(EventType.sample())
        _ = try world.create(Event.sample(2, notes: "a"))
        let small = try check()[.event]
        _ = try world.update(.event, id(2), ["notes": "a longer text"])
        #expect(try check()[.event] == RecordUsage(records: 1, bytes: (small?.bytes ?? 0) + 12))
        _ = try world.update(.event, id(2), ["notes": "a"])
        #expect(try check()[.event] == small)
        _ = try world.create(Event.sample(2, notes: "a"))
        #expect(try check()[.event] == small)
        try delete(.event, 2)
        #expect(try check()[.event] == nil)
        _ = try world.create(Event.sample(2, notes: "a"))
        #expect(try check()[.event] == small)
    }

    @Test("follows what a deletion takes along, and what it empties")
    func deletion() throws {
        _ = try world.create(EventType.sample())
        _ = try world.create(EventType.sample(9, name: "other"))
        _ = try world.create(Geofence(id: id(7), name: "home", latitude: 0, longitude: 0, eventTypeEntryId: id(1)))
        for number in 2...5 { _ = try world.create(Event.sample(UInt64(number), type: number == 5 ? 9 : 1)) }
        let before = try check()
        try delete(.eventType, 1)
        let after = try check()
        #expect(after[.event]?.records == 1 && after[.eventType]?.records == 1 && after[.geofence]?.records == 1)
        #expect(after[.geofence]?.bytes ?? 0 < before[.geofence]?.bytes ?? 0)
    }

    @Test("follows an exchange that changes a record several times, and refuses some of its mutations")
    func exchange() async throws {
        let peer = ExchangePeer(world)
        let results = try await peer.sync([
            peer.create(EventType.sample()), peer.create(Event.sample(2)), peer.create(Event.sample(3, type: 99)),
            peer.create(Event.sample(2)), peer.create(Event.sample(4, notes: "n")),
        ]).results
        #expect(results.map(\.outcome) == [.accepted, .accepted, .blocked, .exists, .accepted])
        try check()
        let revision = results.last?.revision ?? 0
        _ = try await peer.sync([
            peer.update(.event, id(4), base: revision, ["notes": "longer"]), peer.delete(.event, id(2), base: 2),
        ])
        #expect(try check()[.event]?.records == 1)
    }

    @Test("stays where a write is refused, and where it comes again")
    func refusal() throws {
        _ = try world.create(EventType.sample(), key: "k")
        let usage = try check()
        _ = try world.create(EventType.sample(), key: "k")
        #expect(problem { try world.create(Event.sample(2, type: 99)) } != nil)
        #expect(problem { try world.create(EventType.sample(3)) }?.kind == .conflict)
        #expect(try check() == usage)
        #expect(try world.store.read("bob") { try $0.usage() } == [:])
    }
}
