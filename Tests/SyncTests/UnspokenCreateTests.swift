import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A create that the answer to its batch leaves out")
struct UnspokenCreateTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// Logs two events and lets the server take both, with an answer that speaks of the first only. Another device
    /// changes the second at once.
    private func logTwoOfWhichOneIsLeftOut() async throws -> Event {
        try await device.engine.create(device.coffee)
        let spoken = try await device.logCoffee(notes: "first")
        let unspoken = try await device.logCoffee(notes: "second")
        let created = try WireCoding.fields(of: APIEvent(spoken))
        await network.enqueue(.respond(["created": [.object(created)], "total": 2]), for: .createBatch)
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .createBatch else { return }
            try await network.put(spoken)
            try await network.put(unspoken)
            try await network.edit(Event.self, id: unspoken.id) { $0.notes = "theirs" }
        }
        return unspoken
    }

    @Test("is not made again where the server has it, so that what others have changed in it stays")
    func isLookedFor() async throws {
        let event = try await logTwoOfWhichOneIsLeftOut()
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(await network.callCount(.create, .event) == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "theirs")
        #expect(try device.event(event.id)?.entity.notes == "theirs")
    }

    @Test("is looked for in the next cycle too, where the first look got no answer")
    func isLookedForAgain() async throws {
        let event = try await logTwoOfWhichOneIsLeftOut()
        await network.enqueue(.fail(APIError.timeout), for: .get, .event)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(try device.mutations([.sending]).map(\.entityId) == [event.id])
        #expect(await device.engine.performSync().pending == 0)
        #expect(await network.callCount(.createBatch) == 1)
        #expect(await network.callCount(.create, .event) == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "theirs")
    }
}
