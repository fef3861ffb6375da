import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("What the mock server refuses by its routes")
struct MockRefusalTests {
    private func status(_ body: () async throws -> Void) async -> Int? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? APIError)?.status
        }
    }

    @Test("a kind outside its schema, in every operation")
    func foreignKind() async throws {
        let network = MockNetworkClient(schema: try EntitySchema([EventType.self]))
        let place = makeGeofence(name: "home")
        #expect(await status { _ = try await network.create(CreateRequest(place), idempotencyKey: "k") } == 404)
        #expect(await status { _ = try await network.list(Geofence.self, ListRequest(limit: 5)) } == 404)
        #expect(await status { _ = try await network.get(Geofence.self, id: place.id) } == 404)
        #expect(
            await status {
                _ = try await network.update(
                    Geofence.self, id: place.id, Patch(changes: ["name": "x"]), idempotencyKey: nil)
            } == 404)
        #expect(await status { try await network.delete(Geofence.self, id: place.id, idempotencyKey: nil) } == 404)
        #expect(await network.callCount(.create, .geofence) == 1)
        let type = makeEventType(name: "coffee")
        #expect(await status { _ = try await network.create(CreateRequest(type), idempotencyKey: "t") } == nil)
    }

    @Test("a batch of a kind that has none, and one that is empty or too large")
    func batches() async throws {
        let network = MockNetworkClient()
        let types = [CreateRequest(makeEventType(name: "coffee"))]
        #expect(await status { _ = try await network.createBatch(types, idempotencyKey: "k1") } == 404)
        let type = try await network.put(makeEventType(name: "tea")).entity
        for (count, refusal) in [(0, 400), (1, nil), (500, nil), (501, 400)] as [(Int, Int?)] {
            let events = (0..<count).map { _ in CreateRequest(makeEvent(eventTypeId: type.id)) }
            #expect(await status { _ = try await network.createBatch(events, idempotencyKey: "e\(count)") } == refusal)
        }
        #expect(try await network.events.count == 501)
    }

    @Test("after what a test says of the next call")
    func scripted() async throws {
        let network = MockNetworkClient(schema: try EntitySchema([EventType.self]))
        await network.enqueue(.fail(APIError.timeout), for: .list, .geofence)
        await network.enqueue(.serveThenFail(APIError.timeout), for: .list, .geofence)
        await #expect(throws: APIError.timeout) { _ = try await network.list(Geofence.self, ListRequest(limit: 5)) }
        #expect(await status { _ = try await network.list(Geofence.self, ListRequest(limit: 5)) } == 404)
    }
}
