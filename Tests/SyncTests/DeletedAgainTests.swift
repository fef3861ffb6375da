import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A record that was put back, and is deleted again before it is sent")
struct DeletedAgainTests {
    private let device = Device()

    @Test("is deleted on the server, too, where it was moved before that, and its first parent's deletion never went")
    func movedAndDeleted() async throws {
        // Found by the simulator, seed 3002830: the listing brought it back.
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.engine.clearPendingMutations()
        try await device.edit(event.id) { $0.eventTypeId = tea.id }
        try await device.engine.delete(Event.self, id: event.id)
        _ = await device.engine.forceFullResync()
        #expect(try device.event(event.id) == nil)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }

    @Test("does not come back where it was deleted before the feed has shown that its parent was")
    func deletedBeforeTheEcho() async throws {
        // Found by the simulator, seed 3002538: the feed's first entry brought it back.
        let event = try await device.logCoffee()
        await device.network.always(.fail(APIError.connection("cut off")), for: .getChanges)
        _ = await device.engine.performSync()
        let place = await device.network.skipChangeIds()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        _ = await device.engine.performSync()
        // Deployed feeds do not tell of what went with its type.
        await device.network.forgetChanges(of: event.id)
        await device.network.appendChange(
            id: place, entityType: .event, operation: .create, entityId: event.id,
            data: .object(try WireCoding.fields(of: APIEvent(event))))
        await device.network.always(nil, for: .getChanges)
        try await device.engine.create(device.coffee)
        try await device.engine.create(event)
        try await device.engine.delete(Event.self, id: event.id)
        for _ in 0..<2 { #expect(await device.engine.performSync().pending == 0) }
        #expect(try device.event(event.id) == nil)
        #expect(try await device.network.record(Event.self, id: event.id) == nil)
    }
}
