import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

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

    @Test("takes nothing away, whether it is empty or ends early", arguments: [0, 2, 4])
    func leavesOut(_ listed: Int) async throws {
        let device = try await syncedDevice()
        let shown = try types.prefix(listed).map { type in
            JSONValue.object(try WireCoding.fields(of: type))
        }
        await network.always(.respond(.array(Array(shown))), for: .list, .eventType)
        let report = await device.engine.forceFullResync()
        #expect(report.failure == .protocol)
        #expect(report.error?.contains("nothing was changed here") == true, "\(report.error ?? "")")
        #expect(try device.store().fetchAllEventTypes().count == types.count)
        #expect(!report.bootstrapped)
    }

    @Test("does not stop a device that has followed the feed from following it")
    func goesOn() async throws {
        let device = try await syncedDevice()
        await network.always(.respond(.array([])), for: .list, .eventType)
        #expect(await device.engine.forceFullResync().failure == .protocol)
        let cocoa = makeEventType(name: "cocoa")
        try await network.put(cocoa)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().findEventType(id: cocoa.id) == cocoa)
    }

    @Test("does not make a device forget that it cannot do without the listing")
    func isNeeded() async throws {
        let device = try await syncedDevice()
        try await device.engine.delete(EventType.self, id: types[0].id)
        let deletion = try #require(try device.mutations([.queued]).first)
        try await device.engine.dropMutation(id: deletion.id)
        await network.always(.respond(.array([])), for: .list, .eventType)
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
        await network.always(nil, for: .list, .eventType)
        #expect(await device.engine.performSync().failure == .protocol)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().fetchAllEventTypes().count == types.count)
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
