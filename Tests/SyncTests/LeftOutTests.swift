import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Deployed servers ignore the place of an event that is sent by itself; see `rest-contract.md`.
@Suite("What the answer to a new record leaves out")
struct LeftOutTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// An event at a place that the server has, with its type.
    private func eventAtPlace() async throws -> Event {
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        return makeEvent(eventTypeId: device.coffee.id, notes: "n", geofenceId: place.id, locationName: "Cafe")
    }

    /// A server without batches for events that makes them without their place.
    private func dropPlaces(of event: Event) async throws {
        var kept = event
        (kept.geofenceId, kept.locationName) = (nil, nil)
        let made = Remote(
            kept, server: ServerFields(createdAt: device.wallClock.now(), updatedAt: device.wallClock.now()))
        await network.enqueue(
            .fail(APIError.http(status: 500, problem: ProblemDetails(status: 500))), times: 2, for: .createBatch)
        await network.enqueue(.respond(.object(try WireCoding.fields(of: made))), for: .create, .event)
        await network.beforeEachCall { [network, kept] call in
            guard call.operation == .create, call.entityType == .event else { return }
            await network.beforeEachCall(nil)
            try await network.put(kept)
        }
    }

    @Test("follows by an edit in the same sync")
    func follows() async throws {
        let event = try await eventAtPlace()
        try await dropPlaces(of: event)
        try await device.engine.create(event)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try await device.engine.conflicts() == [])
    }

    @Test("is not asked for without end where a server leaves it out of edits, too")
    func keptOut() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = makeEvent(eventTypeId: device.coffee.id, locationName: "Cafe")
        try await dropPlaces(of: event)
        var kept = event
        kept.locationName = nil
        let answer = Remote(
            kept, server: ServerFields(createdAt: device.wallClock.now(), updatedAt: device.wallClock.now()))
        await network.always(.respond(.object(try WireCoding.fields(of: answer))), for: .update)
        try await device.engine.create(event)
        #expect(await device.engine.performSync().pending == 0)
        #expect(await device.engine.performSync().pending == 0)
        #expect(await network.callCount(.update) == 1)
    }

    @Test("follows, too, where the answer was lost and a look tells that it has arrived")
    func lostAnswer() async throws {
        let event = try await eventAtPlace()
        await network.enqueue(
            .fail(APIError.http(status: 500, problem: ProblemDetails(status: 500))), times: 2, for: .createBatch)
        await network.enqueue(.fail(APIError.timeout), for: .create, .event)
        try await device.engine.create(event)
        #expect(await device.engine.performSync().failure == .unreachable)
        var kept = event
        (kept.geofenceId, kept.locationName) = (nil, nil)
        try await network.put(kept)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.event(event.id)?.entity == event)
    }
}
