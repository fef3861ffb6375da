import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A record that was made while the clock was ahead, so that the server refuses its id")
struct RefusedIdTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }
    private static let problem = ProblemDetails(
        detail: "no",
        errors: [FieldError(field: "id", message: "was made more than a minute ahead", code: "future")])

    /// The server refuses creates of these ids.
    private func refuse(_ ids: Set<String>) async {
        await devices.network.beforeEachCall { call in
            guard call.operation == .create || call.operation == .createBatch, !ids.isDisjoint(with: call.entityIds)
            else { return }
            throw APIError.http(status: 400, problem: Self.problem)
        }
    }

    @Test("goes under a new id when it is tried again, with its events and its later edits")
    func retried() async throws {
        let event = try await a.logCoffee(notes: "kept")
        await refuse([a.coffee.id, event.id])
        #expect(await a.engine.performSync().parked == 1)
        try await a.edit(event.id) { $0.notes = "edited" }
        // The event has waited for its type, and is refused for its own id once that is there.
        for _ in 0..<2 {
            for parked in try a.mutations([.parked]) { try await a.engine.retryMutation(id: parked.id) }
            _ = await a.engine.performSync()
        }
        await devices.syncUntilQuiet()
        #expect(try a.mutations([.queued, .sending, .parked]) == [])
        for device in [devices.a, devices.b] {
            let types = try device.store().fetch(EventType.self, where: nil).map(\.entity)
            #expect(types.map(\.name) == [a.coffee.name])
            let events = try device.store().fetch(Event.self, where: nil).map(\.entity)
            #expect(events.map(\.notes) == ["edited"])
            #expect(events.map(\.eventTypeId) == types.map(\.id))
            #expect(try device.event(event.id) == nil && types.map(\.id) != [a.coffee.id])
        }
    }

    @Test("is followed under its old number to what came of it")
    func followed() async throws {
        try await a.engine.create(a.coffee)
        await refuse([a.coffee.id])
        _ = await a.engine.performSync()
        let parked = try #require(try a.mutations([.parked]).first)
        try await a.engine.retryMutation(id: parked.id)
        _ = await a.engine.performSync()
        let sent = try #require(try a.mutations([.accepted]).first)
        #expect(try a.store().findMutation(id: parked.id)?.state == .merged(into: sent.id))
        #expect(sent.entityId != parked.entityId && sent.clientRequestId != parked.clientRequestId)
    }
}
