import Testing
import TrendyDomain
import TrendyTestSupport

/// Uses every method of the seeds by its name, through the protocols, against the kit's server and store.
@Suite("the methods that the project was asked for by name")
struct SeedNamesTests {
    private let typeId = testId(1)

    @Test("all 24 of the network")
    func network() async throws {
        let mock = MockNetworkClient()
        let client: any NetworkClientProtocol = mock
        try await eventTypes(client)
        try await events(client)
        try await geofences(client)
        try await definitions(client)
        let page = try await client.getChanges(since: 0, limit: 500)
        #expect(try await client.getLatestCursor() == page.nextCursor)
        #expect(await mock.getChangesCallCount == 1)
    }

    private func eventTypes(_ client: any NetworkClientProtocol) async throws {
        let second = makeEventType(id: testId(2))
        _ = try await client.createEventType(CreateEventTypeRequest(makeEventType(id: typeId)))
        for _ in 0..<2 {
            _ = try await client.createEventTypeWithIdempotency(CreateEventTypeRequest(second), idempotencyKey: "k1")
        }
        #expect(try await client.getEventTypes().count == 2)
        #expect(
            try await client.updateEventType(id: typeId, UpdateEventTypeRequest(changes: ["name": "Tea"])).name == "Tea"
        )
        try await client.deleteEventType(id: second.id)
        #expect(try await client.getEventTypes().map(\.id) == [typeId])
    }

    private func events(_ client: any NetworkClientProtocol) async throws {
        let requests = (10..<15).map { CreateEventRequest(makeEvent(id: testId($0), eventTypeId: typeId)) }
        _ = try await client.createEvent(requests[0])
        _ = try await client.createEventWithIdempotency(requests[1], idempotencyKey: "k2")
        #expect(try await client.createEventsBatch(Array(requests[2...])).success == 3)
        #expect(try await client.getEvents(limit: 2, offset: 4).count == 1)
        #expect(try await client.getAllEvents(batchSize: 2).count == 5)
        #expect(try await client.updateEvent(id: testId(10), UpdateEventRequest(changes: ["notes": "n"])).notes == "n")
        try await client.deleteEvent(id: testId(10))
        #expect(try await client.getEvents(limit: 50, offset: 0).count == 4)
    }

    private func geofences(_ client: any NetworkClientProtocol) async throws {
        _ = try await client.createGeofence(CreateGeofenceRequest(makeGeofence(id: testId(20), isActive: false)))
        _ = try await client.createGeofenceWithIdempotency(
            CreateGeofenceRequest(makeGeofence(id: testId(21))), idempotencyKey: "k3")
        #expect(try await client.getGeofences(activeOnly: true).map(\.id) == [testId(21)])
        #expect(
            try await client.updateGeofence(id: testId(20), UpdateGeofenceRequest(changes: ["is_active": true]))
                .isActive)
        try await client.deleteGeofence(id: testId(21))
        #expect(try await client.getGeofences(activeOnly: false).map(\.id) == [testId(20)])
    }

    private func definitions(_ client: any NetworkClientProtocol) async throws {
        let (a, b) = (makePropertyDefinition(id: testId(30)), makePropertyDefinition(id: testId(31)))
        let made = try await client.createPropertyDefinition(eventTypeId: typeId, CreatePropertyDefinitionRequest(a))
        #expect(made.eventTypeId == typeId)
        _ = try await client.createPropertyDefinitionWithIdempotency(
            CreatePropertyDefinitionRequest(b), idempotencyKey: "k4")
        #expect(try await client.getPropertyDefinitions(eventTypeId: typeId).count == 2)
        let patch = UpdatePropertyDefinitionRequest(changes: ["label": "L"])
        #expect(try await client.updatePropertyDefinition(id: a.id, patch).label == "L")
        try await client.deletePropertyDefinition(id: b.id)
        #expect(try await client.getPropertyDefinitions(eventTypeId: typeId).map(\.id) == [a.id])
    }

    @Test("all 29 of the store")
    func store() throws {
        let factory = MockDataStoreFactory()
        let store = try factory.makeDataStore()
        try store.upsertEventType(id: typeId) { $0.name = "Coffee" }
        try store.upsertEvent(id: testId(2)) { $0.eventTypeId = typeId }
        try store.upsertGeofence(id: testId(3)) { $0.name = "Home" }
        try store.upsertPropertyDefinition(id: testId(4), eventTypeId: typeId) { $0.key = "size" }
        #expect(try store.findEvent(id: testId(2))?.eventTypeId == typeId)
        #expect(try store.findEventType(id: typeId)?.name == "Coffee")
        #expect(try store.findGeofence(id: testId(3))?.name == "Home")
        #expect(try store.findPropertyDefinition(id: testId(4))?.eventTypeId == typeId)
        try store.markEventSynced(id: testId(2))
        try store.markEventTypeSynced(id: typeId)
        try store.markGeofenceSynced(id: testId(3))
        try store.markPropertyDefinitionSynced(id: testId(4))
        #expect(try store.find(Event.self, id: testId(2))?.syncStatus == .synced)
        try store.save()
        let again = try factory.makeDataStore()
        try fetchAndDelete(again)
        try queue(again)
        try again.save()
        #expect(factory.makeDataStoreCallCount == 2)
    }

    private func fetchAndDelete(_ store: any DataStoreProtocol) throws {
        #expect(try store.fetchAllEvents().count == 1)
        #expect(try store.fetchAllEventTypes().count == 1)
        #expect(try store.fetchAllGeofences().count == 1)
        #expect(try store.fetchAllPropertyDefinitions().count == 1)
        try store.deleteEvent(id: testId(2))
        try store.deleteEventType(id: typeId)
        try store.deleteGeofence(id: testId(3))
        try store.deletePropertyDefinition(id: testId(4))
        #expect(try store.fetchAllEvents().isEmpty)
        try store.deleteAllEvents()
        try store.deleteAllEventTypes()
        try store.deleteAllGeofences()
        try store.deleteAllPropertyDefinitions()
    }

    private func queue(_ store: any DataStoreProtocol) throws {
        let stored = try store.insertPendingMutation(makeMutation(entityId: testId(2)))
        #expect(try store.fetchPendingMutations() == [stored])
        #expect(try store.hasPendingMutation(entityId: testId(2), entityType: .event, operation: .create))
        try store.deletePendingMutation(stored)
        #expect(try store.fetchPendingMutations().isEmpty)
    }
}
