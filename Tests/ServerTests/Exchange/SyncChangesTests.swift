import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The changes of a sync answer")
struct SyncChangesTests {
    private let world: ServerWorld
    private let a: SyncPeer
    private let b: SyncPeer

    init() throws {
        world = try ServerWorld()
        a = SyncPeer(world, named: "a")
        b = SyncPeer(world, named: "b")
        try a.sync([a.create(EventType.sample())])
    }

    @Test("bring a change from one device to the other with one request of each")
    func oneRequest() throws {
        try b.sync()
        try a.sync([a.create(Event.sample(2, notes: "hello"))])
        let changes = try b.sync().changes
        #expect(changes.map(\.entityId) == [id(2)] && changes.map(\.revision) == [2])
        #expect(changes.first?.record?["notes"] == "hello")
        #expect(try b.sync().changes.isEmpty)
    }

    @Test("show a record that was changed ten times once, as it is now, in the order of the latest changes")
    func latest() throws {
        try b.sync()
        for number in 2...4 { try a.sync([a.create(Event.sample(UInt64(number)))]) }
        for revision in 0..<10 {
            _ = try world.update(.event, id(2), ["notes": .string("\(revision)")])
        }
        let changes = try b.sync().changes
        #expect(changes.map(\.entityId) == [id(3), id(4), id(2)] && changes.last?.record?["notes"] == "9")
        #expect(changes.map(\.revision) == changes.map(\.revision).sorted())
    }

    @Test("leave out what this request has made of its own records, and tell what a deletion took with it")
    func ownChanges() throws {
        try a.sync()
        let events = try (2...4).map { try a.create(Event.sample(UInt64($0))) }
        #expect(try a.sync(events).changes.isEmpty)
        let answer = try a.sync([a.delete(.eventType, id(1), base: 1)])
        #expect(answer.results.first?.outcome == .accepted)
        #expect(answer.changes.map(\.entityId).sorted() == [id(2), id(3), id(4)])
        #expect(!answer.changes.contains { !$0.deleted })
        #expect(answer.head == 8 && answer.results.first?.revision == 8)
    }

    @Test("tell of deletions, of a record that was brought back, and of what others did by the older routes")
    func deletions() throws {
        try a.sync([a.create(Event.sample(2)), a.create(Event.sample(3))])
        try b.sync()
        _ = try world.records.delete(.event, id: id(2), WriteContext(userId: "ann"))
        let gone = try b.sync().changes
        #expect(gone.map(\.entityId) == [id(2)] && gone.map(\.deleted) == [true])
        _ = try world.create(Event.sample(2, notes: "again"))
        let back = try b.sync().changes
        #expect(back.map(\.deleted) == [false] && back.first?.record?["notes"] == "again")
        _ = try world.create(Event.sample(4))
        #expect(try b.sync().changes.map(\.entityId) == [id(4)])
    }

    @Test("come in pages that leave nothing out, whatever happens between them", arguments: [1, 2, 7])
    func pages(limit: Int) throws {
        try b.sync()
        var expected: Set<String> = []
        for number in 2...20 {
            try a.sync([a.create(Event.sample(UInt64(number)))])
            expected.insert(id(UInt64(number)))
        }
        var seen: [String: Int64] = [:]
        var round: UInt64 = 0
        var answer: SyncResponse
        repeat {
            answer = try b.sync(limit: limit)
            #expect(answer.changes.count <= limit)
            for change in answer.changes { seen[change.entityId] = change.revision }
            if round < 3 { _ = try world.update(.event, id(2 + round), ["notes": "later"]) }
            round += 1
        } while answer.more || round <= 3
        #expect(Set(seen.keys) == expected && seen.values.max() == answer.head)
    }

    @Test(
        "begin with a snapshot: parents first, each record once, and then what changed meanwhile",
        arguments: [1, 3, 50])
    func snapshot(limit: Int) throws {
        for number in 2...12 { try a.sync([a.create(Event.sample(UInt64(number)))]) }
        var place = Geofence(id: id(40), name: "home", latitude: 1, longitude: 2, radius: 100)
        place.eventTypeEntryId = id(1)
        try a.sync([a.create(place)])
        var visible: [String: JSONValue] = [:]
        var first: [EntityType] = []
        var isChanged = false
        var answer: SyncResponse
        repeat {
            answer = try b.sync(limit: limit)
            for change in answer.changes {
                if let record = change.record {
                    if visible[change.entityId] == nil { first.append(change.entityType) }
                    visible[change.entityId] = record
                } else {
                    visible[change.entityId] = nil
                }
            }
            if !isChanged {
                isChanged = true
                try a.sync([a.delete(.event, id(12), base: 12), a.update(.event, id(3), base: 3, ["notes": "new"])])
                try a.sync([a.create(Event.sample(13))])
            }
        } while answer.more
        answer = try b.sync(limit: 500)
        for change in answer.changes { visible[change.entityId] = change.record }
        #expect(visible.count == 13 && visible[id(12)] == nil && visible[id(13)] != nil)
        #expect(visible[id(3)]?["notes"] == "new")
        #expect(first.prefix(2) == [.eventType, .geofence])
    }

    @Test("of a snapshot that begins beside mutations are followed by what these have deleted")
    func snapshotBesideMutations() throws {
        try a.sync([a.create(EventType.sample(30, name: "tea"))])
        a.cursor = nil
        let first = try a.sync([a.create(Event.sample(31, type: 30)), a.delete(.eventType, id(30), base: 2)])
        #expect(first.results.map(\.outcome) == [.accepted, .accepted] && first.more)
        #expect(try a.sync().changes.contains { $0.entityId == id(31) && $0.deleted })
    }

    @Test("of an account without records are none, and its place is the beginning")
    func empty() throws {
        let answer = try SyncPeer(world, as: "eve").sync()
        #expect(answer.changes.isEmpty && !answer.more && answer.head == 0 && !answer.epoch.isEmpty)
    }
}
