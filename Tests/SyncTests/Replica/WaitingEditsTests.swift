import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("An edit that waits behind a parked one of its record")
struct WaitingEditsTests {
    private let device = Device()

    @Test("goes as soon as the server shows that the parked one has arrived")
    func arrived() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "second" }
        await device.loseNext()
        await device.sync()
        try await device.engine.clearPendingMutations()
        try await device.edit(event.id) { $0.locationName = "here" }
        #expect(try device.mutations([.parked]).map { $0.parkReason?.code } == [.cleared, .waiting])
        let report = await device.sync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        let there = try #require(try device.server.event(event.id))
        #expect(there.notes == "second" && there.locationName == "here")
        #expect(try device.event(event.id) == there)
    }
}
