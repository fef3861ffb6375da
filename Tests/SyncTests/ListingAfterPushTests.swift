import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A listing that was cut off, and a push before it goes on")
struct ListingAfterPushTests {
    let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 2), batchLimit: 500)
    ])
    let coffee = makeEventType(name: "coffee")
    private let noon = Timestamp(milliseconds: 1_767_268_800_000)

    private func event(minutesBeforeNoon minutes: Double) -> Event {
        makeEvent(eventTypeId: coffee.id, timestamp: noon.advanced(bySeconds: -60 * minutes))
    }

    @Test("it is gone through once where the smallest pages begin with what was pushed")
    func goesOn() async throws {
        try await network.put(coffee)
        let events = (0..<6).map { event(minutesBeforeNoon: Double($0)) }
        for event in events { try await network.put(event) }
        let device = Device(network)
        for answer in [.serve, .serve, MockAnswer.fail(APIError.connection("reset"))] {
            await network.enqueue(answer, for: .list, .event)
        }
        #expect(await device.engine.performSync().failure == .unreachable)
        let pushed = event(minutesBeforeNoon: 2.5)
        try await device.engine.create(pushed)
        await network.reset()
        #expect(await device.engine.performSync().failure == nil)
        #expect(Set(try device.store().fetchAllEvents().map(\.id)) == Set((events + [pushed]).map(\.id)))
        #expect(await network.callCount(.list, .event) < 10)
    }
}
