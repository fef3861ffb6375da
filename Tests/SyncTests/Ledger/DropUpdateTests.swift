import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Dropping an edit")
struct DropUpdateTests {
    let device = Device()

    private func dropUpdate(of id: String) async throws -> DropSummary {
        let update = try #require(try device.open().first { $0.entityId == id && $0.operation == .update })
        return try await device.engine.dropMutation(id: update.id)
    }

    @Test("returns the fields to what they were")
    func fields() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) {
            $0.notes = "second"
            $0.locationName = "here"
        }
        _ = try await dropUpdate(of: event.id)
        #expect(try device.event(event.id) == event && device.status(event.id) == .synced)
        #expect(await device.sync().pushed == 0)
    }

    @Test("that arrives all the same shows what the server made of it", arguments: [false, true])
    func arrived(isEditedAgain: Bool) async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "second" }
        let (device, id) = (device, try #require(try device.mutation(of: event.id)).id)
        let cut = device.restarted { $0.requestsPerCycle = 1 }
        await cut.whileSending {
            try await device.engine.clearPendingMutations()
            try await device.engine.dropMutation(id: id)
            if isEditedAgain { try await device.edit(event.id) { $0.locationName = "here" } }
        }
        await cut.sync()
        _ = try await dropUpdate(of: event.id)
        await device.sync()
        #expect(try device.open().isEmpty && device.event(event.id)?.notes == "second")
        #expect(try device.event(event.id) == device.server.event(event.id))
    }

    @Test("leaves the fields that a later edit sets", arguments: [false, true])
    func laterEdit(arrived: Bool) async throws {
        let event = try await device.syncedCoffee(notes: "first")
        await device.loseNext(arrived ? .loseAnswer(.connection("reset")) : .loseRequest(.connection("reset")))
        try await device.edit(event.id) {
            $0.notes = "second"
            $0.locationName = "here"
        }
        await device.sync()
        try await device.edit(event.id) { $0.notes = "third" }
        _ = try await dropUpdate(of: event.id)
        let kept = try #require(try device.event(event.id))
        #expect(kept.notes == "third" && kept.locationName == nil)
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(try device.server.event(event.id)?.notes == "third")
        #expect(try device.server.event(event.id) == device.event(event.id))
    }

    @Test("returns a field to the value that another device gave it meanwhile")
    func rebased() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        device.server.reject([event.id])
        try await device.edit(event.id) { $0.notes = "mine" }
        await device.sync()
        device.server.reject([])
        try device.server.change(.event, event.id, ["notes": "theirs"])
        await device.sync()
        #expect(try device.event(event.id)?.notes == "mine" && device.conflicts.count == 1)
        _ = try await dropUpdate(of: event.id)
        #expect(try device.event(event.id)?.notes == "theirs" && device.status(event.id) == .synced)
    }

    @Test("of a record that was deleted elsewhere lets the record go")
    func deletedElsewhere() async throws {
        let event = try await device.syncedCoffee()
        try await device.edit(event.id) { $0.notes = "second" }
        try device.server.delete(.event, event.id)
        await device.sync()
        #expect(try device.conflicts.count == 1)
        #expect(try await dropUpdate(of: event.id).removed == [.event: 1])
        #expect(try device.event(event.id) == nil && device.conflicts.isEmpty)
    }
}
