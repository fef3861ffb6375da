import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("What becomes of a mutation", .timeLimit(.minutes(2)))
struct OutcomeTests {
    let device = Device()

    private func id(of entityId: String, _ operation: MutationOperation = .create) throws -> Int64 {
        try #require(try device.mutation(of: entityId, operation)).id
    }

    @Test("is told as soon as the sync that settles it has ended")
    func accepted() async throws {
        let event = try await device.logCoffee()
        let (engine, id) = (device.engine, try id(of: event.id))
        let waiting = Task { try await engine.outcome(of: id) }
        await device.clock.waitForSleepers()
        await device.sync()
        #expect(try await waiting.value == .accepted)
        #expect(try await device.engine.outcome(of: id) == .accepted)
    }

    @Test("is told for one that is merged into another by what becomes of the other")
    func merged() async throws {
        let event = try await device.syncedCoffee()
        try await device.edit(event.id) { $0.notes = "later" }
        let (engine, id) = (device.engine, try id(of: event.id, .update))
        try await engine.delete(Event.self, id: event.id)
        #expect(try device.mutations([.merged]).map(\.id) == [id])
        let waiting = Task { try await engine.outcome(of: id) }
        await device.clock.waitForSleepers()
        await device.sync()
        #expect(try await waiting.value == .accepted)
    }

    @Test("is told for what was made and deleted before it was sent")
    func undone() async throws {
        let event = try await device.logCoffee()
        try await device.engine.delete(Event.self, id: event.id)
        #expect(try await device.engine.outcome(of: try id(of: event.id)) == .merged(into: nil))
    }

    @Test("is told when it is parked, and when a person drops it")
    func parkedAndDropped() async throws {
        let event = try await device.logCoffee()
        let (engine, id) = (device.engine, try id(of: event.id))
        let waiting = Task { try await engine.outcome(of: id) }
        await device.clock.waitForSleepers()
        try await engine.clearPendingMutations()
        #expect(try await waiting.value.name == .parked)
        try await engine.retryMutation(id: id)
        let again = Task { try await engine.outcome(of: id) }
        await device.clock.waitForSleepers()
        try await engine.dropMutation(id: id)
        #expect(try await again.value == .dropped)
    }

    @Test("is heard of from another process by looking now and then")
    func otherProcess() async throws {
        let event = try await device.logCoffee()
        let (engine, id) = (device.engine, try id(of: event.id))
        let waiting = Task { try await engine.outcome(of: id) }
        await device.clock.waitForSleepers()
        await device.restarted().sync()
        #expect(device.clock.advanceToNextWake())
        #expect(try await waiting.value == .accepted)
    }

    @Test("is not waited for longer than its task lives")
    func cancelled() async throws {
        let event = try await device.logCoffee()
        let (engine, id) = (device.engine, try id(of: event.id))
        let waiting = Task { try await engine.outcome(of: id) }
        await device.clock.waitForSleepers()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(device.clock.sleeperCount == 0)
    }
}
