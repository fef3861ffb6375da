import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A listing that leaves out what the server has")
struct ShortListingTests {
    let network = MockNetworkClient()
    let types = ["coffee", "tea", "water", "juice", "milk"].map { makeEventType(name: $0) }

    /// A device that has synced all types.
    private func syncedDevice() async throws -> Device {
        for type in types { try await network.put(type) }
        let device = Device(network)
        #expect(await device.engine.performSync().failure == nil)
        return device
    }

    /// What is left out cannot be read either.
    private func garble() async {
        await network.always(.respond([]), for: .list, .eventType)
        await network.always(.respond(["id": 3]), for: .get, .eventType)
    }

    @Test("takes nothing away, whether it is empty or ends early: the rest is asked for", arguments: [0, 2, 4])
    func leavesOut(_ listed: Int) async throws {
        let device = try await syncedDevice()
        let shown = try types.prefix(listed).map { type in
            JSONValue.object(try WireCoding.fields(of: type))
        }
        await network.always(.respond(.array(Array(shown))), for: .list, .eventType)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.bootstrapped)
        // All in one save: readers never see fewer.
        #expect(report.placed == types.count)
        #expect(Set(try device.store().fetchAllEventTypes()) == Set(types))
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().fetchAllEventTypes().count == types.count)
    }

    @Test("takes away only what the server has no more, and brings the others as they are now", arguments: 0..<5)
    func someGone(_ gone: Int) async throws {
        let device = try await syncedDevice()
        let events = try await device.logEach(of: types)
        try await network.remove(EventType.self, id: types[gone].id)
        let changed = types[(gone + 1) % types.count]
        try await network.edit(EventType.self, id: changed.id) { $0.icon = "leaf" }
        await network.always(.respond([]), for: .list)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil && report.bootstrapped && report.placed == 8)
        let kept = try device.store().fetchAllEventTypes()
        #expect(Set(kept.map(\.id)) == Set(types.map(\.id)).subtracting([types[gone].id]))
        #expect(kept.first { $0.id == changed.id }?.icon == "leaf")
        let left = try device.store().fetchAllEvents().map(\.id)
        #expect(Set(left) == Set(events.map(\.id)).subtracting([events[gone].id]))
    }

    @Test("of more than a thousand records counts as broken")
    func tooMany() async throws {
        try await network.put(types[0])
        for _ in 0...1_000 { try await network.put(makeEvent(eventTypeId: types[0].id)) }
        let device = Device(network)
        #expect(await device.engine.performSync().failure == nil)
        await network.reset()
        await network.always(.respond([]), for: .list, .event)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == .protocol && !report.bootstrapped)
        #expect(report.error?.contains("nothing was changed here") == true, "\(report.error ?? "")")
        #expect(await network.callCount(.get) == 1)
        #expect(try device.store().count(Event.self) == 1_001)
        #expect(try device.store().stagedIds(EventType.self).isEmpty)
        #expect(await device.engine.performSync().failure == nil)
    }

    @Test("counts as broken where one of the rest cannot be read, and changes nothing")
    func unreadable() async throws {
        let device = try await syncedDevice()
        await network.always(.respond([]), for: .list, .eventType)
        // The first few are there; the server stumbles on a later one.
        await network.enqueue(.serve, times: 3, for: .get, .eventType)
        await network.enqueue(.respond(["id": 3]), for: .get, .eventType)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == .protocol && !report.bootstrapped)
        #expect(report.error?.contains("nothing was changed here") == true, "\(report.error ?? "")")
        #expect(try device.store().fetchAllEventTypes().count == types.count)
        #expect(try device.store().stagedIds(EventType.self).isEmpty)
    }

    @Test("does not stop a device that has followed the feed from following it")
    func goesOn() async throws {
        let device = try await syncedDevice()
        await garble()
        #expect(await device.engine.forceFullResync().failure == .protocol)
        let cocoa = makeEventType(name: "cocoa")
        try await network.put(cocoa)
        await network.always(nil, for: .get, .eventType)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && !report.bootstrapped)
        #expect(try device.store().findEventType(id: cocoa.id) == cocoa)
    }

    @Test("does not make a device forget that it cannot do without the listing")
    func isNeeded() async throws {
        let device = try await syncedDevice()
        try await device.engine.delete(EventType.self, id: types[0].id)
        let deletion = try #require(try device.mutations([.queued]).first)
        try await device.engine.dropMutation(id: deletion.id)
        await garble()
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == .protocol) }
        await network.reset()
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.bootstrapped)
    }

    @Test("is believed where the server has the records no more")
    func gone() async throws {
        let device = try await syncedDevice()
        await network.reset()
        await network.always(.respond(.array([])), for: .list, .eventType)
        await network.always(.respond(.null), for: .get, .eventType)
        #expect(await device.engine.forceFullResync().failure == nil)
        #expect(try device.store().fetchAllEventTypes() == [])
        // Before the feed is read, a few are asked for, however many are missing.
        let listed = try #require(await network.calls.firstIndex { $0.operation == .getChanges })
        let asked = await network.calls.prefix(listed).filter { $0.operation == .get }.flatMap(\.entityIds)
        #expect(asked == [0, 2, 4].map { types[$0].id })
    }

    @Test("waits for the server where that can tell nothing of the records either")
    func failing() async throws {
        let device = try await syncedDevice()
        await network.always(.respond(.array([])), for: .list, .eventType)
        await network.always(.fail(APIError.http(status: 500, problem: ProblemDetails())), for: .get, .eventType)
        #expect(await device.engine.forceFullResync().failure == .unreachable)
        #expect(try device.store().fetchAllEventTypes().count == types.count)
        await network.always(nil, for: .get, .eventType)
        let listed = await network.callCount(.list)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.bootstrapped)
        #expect(await network.callCount(.list) == listed)
        #expect(Set(try device.store().fetchAllEventTypes()) == Set(types))
    }

    @Test("is complete where it shows what cannot be used")
    func unusable() async throws {
        let device = try await syncedDevice()
        var shown = try types.map { JSONValue.object(try WireCoding.fields(of: $0)) }
        shown[2] = .object(["id": .string(types[2].id), "name": .number(3)])
        await network.reset()
        await network.always(.respond(.array(shown)), for: .list, .eventType)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == nil, "\(report)")
    }
}

extension Device {
    /// Logs an event of each type, and sends them.
    fileprivate func logEach(of types: [EventType]) async throws -> [Event] {
        var events: [Event] = []
        for type in types { events.append(try await engine.create(makeEvent(eventTypeId: type.id))) }
        #expect(await engine.performSync().pending == 0)
        return events
    }
}
