import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("A queue that is cleared while a batch is under way")
struct ClearedBatchTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// Sends two events, of which the server takes the first; the queue is cleared before its answer comes.
    private func sendTwo(_ rest: JSONValue) async throws -> (taken: Event, left: Event) {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let taken = try await device.logCoffee(notes: "taken")
        let events = (taken: taken, left: try await device.logCoffee(notes: "left"))
        let created = JSONValue.object(try WireCoding.fields(of: APIEvent(taken)))
        await network.enqueue(
            .respond(["created": [created], "errors": rest, "total": 2]), for: .createBatch)
        let (network, engine) = (network, device.engine)
        await network.beforeEachCall { call in
            guard call.operation == .createBatch else { return }
            await network.beforeEachCall(nil)
            try await network.put(taken)
            try await engine.clearPendingMutations()
        }
        return events
    }

    @Test(
        "keeps what the answer refuses, or does not speak of, parked",
        arguments: [JSONValue.array([]), [["index": 1, "message": "no"]]])
    func staysParked(_ rest: JSONValue) async throws {
        let events = try await sendTwo(rest)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 1)
        #expect(try device.parkReason(of: events.left.id)?.code == .cleared)
        #expect(try device.event(events.taken.id)?.syncStatus == .synced)
        #expect(try device.event(events.left.id)?.syncStatus == .failed)
        #expect(await network.callCount(.create, .event) == 0)
        #expect(await network.callCount(.get, .event) == 0)
        #expect(await device.engine.performSync().parked == 1)
        let parked = try #require(try device.mutations([.parked]).first)
        try await device.engine.retryMutation(id: parked.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(Event.self, id: events.left.id)?.entity == events.left)
    }
}
