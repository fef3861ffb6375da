import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A record that was made while the clock was ahead, so that the server refuses its id")
struct RefusedIdTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }
    private let errors = [FieldError(field: "id", message: "was made more than a minute ahead", code: "future")]

    @Test("goes under a new id when it is tried again, with its events and its later edits")
    func retried() async throws {
        let event = try await a.logCoffee(notes: "kept")
        devices.server.reject([a.coffee.id, event.id], errors: errors)
        await a.sync()
        let refused = try #require(try a.mutation(of: a.coffee.id))
        try await a.edit(event.id) { $0.notes = "edited" }
        // The event is refused for its own id too.
        for _ in 0..<2 {
            for parked in try a.mutations([.parked]) { try await a.engine.retryMutation(id: parked.id) }
            await a.sync()
        }
        await devices.syncUntilQuiet()
        // It is followed under its old number to what came of it.
        #expect(try await a.engine.outcome(of: refused.id) == .accepted)
        #expect(try a.open() == [])
        for device in [devices.a, devices.b] {
            let types = try device.all(EventType.self)
            #expect(types.map(\.name) == [a.coffee.name] && types.map(\.id) != [a.coffee.id])
            let events = try device.all(Event.self)
            #expect(events.map(\.notes) == ["edited"] && events.map(\.eventTypeId) == types.map(\.id))
            #expect(try device.event(event.id) == nil)
        }
    }
}
