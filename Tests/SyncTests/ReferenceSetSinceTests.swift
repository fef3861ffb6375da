import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// A deletion takes references to its record out of what waits, and puts them back when it is given up. What the person
/// has said of them since stands, whichever of the waiting changes he said it by.
@Suite("A reference that was set after a deletion had cleared it")
struct ReferenceSetSinceTests {
    private let device = Device()

    /// A place that the server has, with a type of events.
    private func makePlace() async throws -> Geofence {
        let place = try await device.engine.create(makeGeofence())
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        return place
    }

    private func open(_ operation: MutationOperation) throws -> PendingMutation {
        try #require(try device.mutations([.queued, .parked]).first { $0.operation == operation })
    }

    private func expectNoPlace(_ id: String) async throws {
        #expect(try device.event(id)?.entity.geofenceId == nil)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try device.mutations([.parked]).isEmpty)
        let there = try #require(try await device.network.record(Event.self, id: id))
        #expect(there.geofenceId == nil)
        #expect(try device.event(id)?.entity == there.entity)
    }

    @Test("stays so, where the deletion had cleared it in a later change than the one that was edited")
    func laterChange() async throws {
        // Found by the simulator, in a shortened history of seed 215431.
        let place = try await makePlace()
        let event = try await device.logCoffee()
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: nil)), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.geofenceId = place.id }
        try await device.engine.delete(Geofence.self, id: place.id)
        try await device.engine.clearPendingMutations()
        let create = try open(.create)
        try await device.engine.editMutation(id: create.id, changes: ["geofence_id": .null, "notes": "here"])
        try await device.engine.retryMutation(id: try open(.update).id)
        try await device.engine.dropMutation(id: try open(.delete).id)
        try await expectNoPlace(event.id)
    }

    @Test("stays so, where the server may have it by an earlier change than the one that was edited")
    func earlierChange() async throws {
        let place = try await makePlace()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "there" }
        try await device.engine.clearPendingMutations()
        try await device.engine.delete(Geofence.self, id: place.id)
        let update = try open(.update)
        try await device.engine.editMutation(id: update.id, changes: ["geofence_id": .null, "notes": "here"])
        try await device.engine.retryMutation(id: try open(.create).id)
        try await device.engine.dropMutation(id: try open(.delete).id)
        try await expectNoPlace(event.id)
    }

    @Test("stays so, where a later change says that there is none")
    func changedTwice() async throws {
        let place = try await makePlace()
        let other = try await device.engine.create(makeGeofence())
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        await device.network.enqueue(.fail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        try await device.engine.clearPendingMutations()
        try await device.engine.delete(Geofence.self, id: place.id)
        try await device.edit(event.id) { $0.geofenceId = other.id }
        try await device.edit(event.id) { $0.geofenceId = nil }
        try await device.engine.dropMutation(id: try open(.delete).id)
        #expect(try device.event(event.id)?.entity.geofenceId == nil)
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        try await expectNoPlace(event.id)
    }
}
