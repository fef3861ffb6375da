import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A record that the server does not let anybody read by itself")
struct GuardedRecordTests {
    private let network = MockNetworkClient()
    private let coffee = makeEventType(name: "coffee")

    private func refuseLooks(_ status: Int) async {
        let refusal = APIError.http(status: status, problem: ProblemDetails(status: status))
        await network.always(.fail(refusal), for: .get, .eventType)
    }

    /// A change appears late in the stretch of the feed that a listing may have shown.
    private func showLate(to device: Device) async throws -> EventType {
        try await network.put(coffee)
        let place = await network.skipChangeIds()
        try await network.put(makeEventType(name: "tea"))
        #expect(await device.engine.performSync().bootstrapped)
        let late = makeEventType(name: "late")
        try await network.put(late, at: place)
        return late
    }

    @Test("may be there, so that a late change of it is applied", arguments: [400, 403])
    func lateChange(status: Int) async throws {
        let device = Device(network)
        let late = try await showLate(to: device)
        await refuseLooks(status)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().findEventType(id: late.id) == late)
    }

    @Test("is gone where the server says so, and a late change of it is passed over")
    func lateChangeOfGone() async throws {
        let device = Device(network)
        let late = try await showLate(to: device)
        await refuseLooks(410)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().findEventType(id: late.id) == nil)
    }

    @Test("stops the pull where the server fails on it, which goes on later")
    func failing() async throws {
        let device = Device(network)
        let late = try await showLate(to: device)
        await refuseLooks(503)
        #expect(await device.engine.performSync().failure == .unreachable)
        await network.always(nil, for: .get, .eventType)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().findEventType(id: late.id) == late)
    }

    @Test("may be there, so that a first sync brings what belongs to it", arguments: [400, 403])
    func unlistedParent(status: Int) async throws {
        try await network.put(coffee)
        let event = try await network.put(makeEvent(eventTypeId: coffee.id))
        await network.enqueue(.respond([]), for: .list, .eventType)
        await refuseLooks(status)
        let device = Device(network)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.bootstrapped)
        #expect(try device.event(event.id)?.entity == event.entity)
        #expect(try device.store().findEventType(id: coffee.id) == coffee)
    }

    @Test("takes what belongs to it along where the server says that it is gone")
    func goneParent() async throws {
        try await network.put(coffee)
        let event = try await network.put(makeEvent(eventTypeId: coffee.id))
        await network.enqueue(.respond([]), for: .list, .eventType)
        await refuseLooks(410)
        await network.always(.fail(APIError.timeout), for: .getChanges)
        let device = Device(network)
        #expect(await device.engine.performSync().bootstrapped)
        #expect(try device.event(event.id) == nil)
    }
}
