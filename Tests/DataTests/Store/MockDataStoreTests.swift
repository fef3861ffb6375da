import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("The mock of a store")
struct MockDataStoreTests {
    let stores = MockDataStoreFactory()

    @Test("counts the calls of each kind, in one recording for all units")
    func counts() throws {
        let first = try stores.makeDataStore()
        try first.upsertEventType(id: testId(1)) { $0.name = "coffee" }
        try first.save()
        let second = try stores.makeDataStore()
        try second.upsertEvent(id: testId(2)) { $0.eventTypeId = testId(1) }
        try second.deleteEvent(id: testId(2))
        try second.save()
        #expect(stores.makeDataStoreCallCount == 2 && stores.saveCallCount == 2)
        #expect(stores.upsertEventTypeCallCount == 1 && stores.upsertEventCallCount == 1)
        #expect(stores.deleteEventCallCount == 1 && stores.deleteEventTypeCallCount == 0)
        #expect(stores.calls(.delete).map(\.entityIds) == [[testId(2)]])
        #expect(stores.calls.last?.operation == .save)
    }

    @Test("keeps the mutations that were handed over, with their keys")
    func mutations() throws {
        let store = try MockDataStore()
        let mutation = makeMutation(clientRequestId: "key")
        let inserted = try store.insertPendingMutation(mutation)
        try store.deletePendingMutation(inserted)
        #expect(store.insertedMutations == [mutation])
        #expect(store.insertedIdempotencyKeys == ["key"])
        #expect(store.calls(.deleteMutation).map(\.mutationIds) == [[inserted.id]])
    }

    @Test("fails the call that the script names, and no other")
    func script() throws {
        let store = try MockDataStore()
        store.enqueue(.serve, for: .upsert, .event)
        store.enqueue(.fail(.failed("full")), for: .upsert, .event)
        let events = (1...3).map { makeEvent(id: testId($0)) }
        try store.upsert(LocalRecord(makeEventType()))
        try store.upsert(LocalRecord(events[0]))
        #expect(throws: StoreError.failed("full")) { try store.upsert(LocalRecord(events[1])) }
        try store.upsert(LocalRecord(events[2]))
        #expect(try store.base.fetchAllEvents() == [events[0], events[2]])
        #expect(store.upsertEventCallCount == 3)
    }

    @Test("prefers an answer for the kind to one for any kind, and both to the standing one")
    func precedence() throws {
        let store = try MockDataStore()
        store.always(.fail(.failed("standing")), for: .count)
        store.enqueue(.fail(.failed("any")), for: .count)
        store.enqueue(.fail(.failed("event")), for: .count, .event)
        for error in ["event", "any", "standing", "standing"] {
            #expect(throws: StoreError.failed(error)) { try store.count(Event.self) }
        }
        store.always(nil, for: .count)
        #expect(try store.count(Event.self) == 0)
    }

    @Test("commits a save whose success is lost, and no save that fails")
    func lostSave() throws {
        stores.enqueue(.fail(.busy), for: .save)
        stores.enqueue(.serveThenFail(.failed("power loss")), for: .save)
        for name in ["first", "second"] {
            let store = try stores.makeDataStore()
            try store.setMetadata(name, "written")
            #expect(throws: StoreError.self) { try store.save() }
        }
        #expect(try stores.unrecorded { try $0.metadata("first") } == nil)
        #expect(try stores.unrecorded { try $0.metadata("second") } == "written")
    }

    @Test("neither counts nor fails what is done unrecorded, and keeps it through a reset")
    func unrecorded() throws {
        stores.always(.fail(.busy), for: .save)
        stores.failNextMakeDataStore(with: .busy)
        try stores.unrecorded { try $0.upsert(LocalRecord(makeEvent(id: testId(7)))) }
        #expect(stores.calls.isEmpty)
        #expect(throws: StoreError.busy) { try stores.makeDataStore() }
        stores.reset()
        let store = try stores.makeDataStore()
        #expect(try store.findEvent(id: testId(7)) != nil)
        try store.save()
        #expect(stores.makeDataStoreCallCount == 1)
    }
}
