import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("Whose records a store holds")
struct OwnershipTests {
    private let stores = MockDataStoreFactory()
    private let ann = StoreOwner(userId: "ann", email: "ann@example.org", server: "https://one.example.org")
    private let bob = StoreOwner(userId: "bob", server: "https://one.example.org")

    private var ownership: StoreOwnership { StoreOwnership(dataStoreFactory: stores, schema: .trendy) }

    @Test("the first who claims it gets what was written before anyone signed in")
    func first() throws {
        try stores.unrecorded { try $0.upsert(LocalRecord(makeEventType(name: "coffee"))) }
        #expect(try ownership.owner() == nil)
        try ownership.requireRoom()
        try ownership.claim(for: ann)
        #expect(try ownership.owner() == ann)
        #expect(ann.name == "ann@example.org at https://one.example.org")
        #expect(bob.name == "bob at https://one.example.org")
    }

    @Test("somebody else is refused while anything of the first is left, and nothing changes", arguments: Trace.all)
    func refused(_ trace: Trace) throws {
        try ownership.claim(for: ann)
        try stores.unrecorded(trace.leave)
        #expect(throws: StoreOwnershipError(owner: ann)) { try ownership.claim(for: bob) }
        #expect(throws: StoreOwnershipError(owner: ann)) { try ownership.requireRoom(for: bob.userId) }
        #expect(throws: StoreOwnershipError(owner: ann)) { try ownership.requireRoom() }
        #expect(try ownership.owner() == ann)
        #expect(try stores.unrecorded { try $0.metadata(MetadataKey.exchange) } == nil)
        try ownership.requireRoom(for: ann.userId)
        try ownership.claim(for: ann)
    }

    @Test("the kinds of the schema count, not Trendy's")
    func ownKinds() throws {
        let schema = try EntitySchema([ContractItem.self])
        let stores = InMemoryDataStoreFactory(schema: schema)
        let ownership = StoreOwnership(dataStoreFactory: stores, schema: schema)
        try ownership.claim(for: ann)
        let store = try stores.makeDataStore()
        try store.upsert(LocalRecord(ContractItem(id: testId(1), name: "a")))
        try store.save()
        #expect(throws: StoreOwnershipError(owner: ann)) { try ownership.claim(for: bob) }
    }

    @Test("the same person may come by another address; the e-mail address stays known")
    func moved() throws {
        try ownership.claim(for: ann)
        try stores.unrecorded { try $0.upsert(LocalRecord(makeEventType(name: "coffee"))) }
        let moved = StoreOwner(userId: "ann", server: "https://two.example.org")
        try ownership.claim(for: moved)
        #expect(try ownership.owner()?.server == "https://two.example.org")
        #expect(try ownership.owner()?.email == "ann@example.org")
        #expect(try stores.unrecorded { try $0.metadata(MetadataKey.exchange) } == nil)
    }

    @Test("the wait for an address that could not be reached is over with another address")
    func waits() throws {
        func isKept(after owner: StoreOwner) throws -> Bool {
            try ownership.claim(for: ann)
            try stores.unrecorded { try $0.setMetadata(MetadataKey.connectionBackoff, "{}") }
            try ownership.claim(for: owner)
            return try stores.unrecorded { try $0.metadata(MetadataKey.connectionBackoff) } != nil
        }
        #expect(try isKept(after: StoreOwner(userId: "ann", email: "new@example.org", server: ann.server)))
        #expect(try isKept(after: bob))
        #expect(try !isKept(after: StoreOwner(userId: "bob", server: "https://two.example.org")))
    }

    @Test("a claim that is no news writes nothing")
    func noNews() throws {
        try ownership.claim(for: ann)
        stores.reset()
        try ownership.claim(for: ann)
        try ownership.claim(for: StoreOwner(userId: "ann", server: ann.server))
        #expect(stores.saveCallCount == 0 && stores.callCount(.begin) == 0)
    }

    @Test(
        "who takes over an empty store gets all of his own, wherever the first was with her server", arguments: [0, 20])
    func takesOver(events: Int) async throws {
        let ownership = StoreOwnership(dataStoreFactory: stores.base, schema: .trendy)
        let base = try #require(stores.base as? InMemoryDataStoreFactory)
        let annsDevice = Device(stores: base)
        try ownership.claim(for: ann)
        let event = try await annsDevice.syncedCoffee()
        try annsDevice.server.delete(.eventType, event.eventTypeId)
        await annsDevice.sync()
        #expect(try annsDevice.all(EventType.self) == [])

        let (tea, his) = (makeEventType(name: "tea"), ExchangeServer())
        try his.create(tea)
        for number in 0..<events { try his.create(makeEvent(eventTypeId: tea.id, notes: "\(number)")) }
        try ownership.claim(for: bob)
        let bobsDevice = Device(his, stores: base)
        #expect(await bobsDevice.sync().bootstrapped)
        #expect(try bobsDevice.all(EventType.self) == [tea] && bobsDevice.all(Event.self).count == events)
    }

    /// What somebody may leave behind.
    struct Trace: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let leave: @Sendable (any DataStoreProtocol) throws -> Void

        static let all = [
            Trace(testDescription: "a record") { try $0.upsert(LocalRecord(makeGeofence())) },
            Trace(testDescription: "a deletion that waits") {
                try $0.insertMutation(makeMutation(operation: .delete))
            },
            Trace(testDescription: "a conflict") {
                try $0.putDocument(
                    SyncConflict(
                        id: "c1", kind: .field, entityType: .event, entityId: testId(1), field: "notes",
                        localValue: "mine", remoteValue: "theirs", detectedAt: ManualWallClock.defaultStart))
            },
            Trace(testDescription: "what was set aside") {
                let entry = ChangeEntry(id: 7, entityType: "mystery", operation: .create, entityId: testId(1))
                try $0.putDocument(
                    QuarantinedChange(
                        id: "q1", entry: entry, reason: "unknown", receivedAt: ManualWallClock.defaultStart))
            },
        ]
    }
}
