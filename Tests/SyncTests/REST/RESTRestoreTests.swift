import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A deployed server that was restored from a backup")
struct RESTRestoreTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// The device deletes an event or its type, and then the server is put back to its state before the deletion.
    private func restore(type: Bool = false, isEntryRead: Bool = true) async throws -> Event {
        await network.always(.fail(refusal(404)), for: .exchange)
        let event = try await device.syncedCoffee(notes: "deleted")
        device.wallClock.advance(bySeconds: 60)
        let backup = await network.backup()
        if type {
            try await device.engine.delete(EventType.self, id: event.eventTypeId)
        } else {
            try await device.engine.delete(Event.self, id: event.id)
        }
        await device.sync()
        if isEntryRead { await device.sync() }
        device.wallClock.advance(bySeconds: 60)
        #expect(try await network.events.isEmpty && device.open().isEmpty)
        await network.restore(backup)
        return event
    }

    @Test(
        "tells which deletions that has undone, also the last one that it answered, and the person decides",
        arguments: [false, true], [false, true])
    func undone(isEntryRead: Bool, isRetried: Bool) async throws {
        let event = try await restore(isEntryRead: isEntryRead)
        let report = await device.sync()
        #expect(report.failure == nil && report.lostDeletions == 1)
        let deletion = try #require(try device.mutation(of: event.id))
        #expect(deletion.parkReason?.code == .lostByServer && deletion.operation == .delete)
        #expect(try device.event(event.id) == nil)
        if isRetried {
            try await device.engine.retryMutation(id: deletion.id)
        } else {
            try await device.engine.dropMutation(id: deletion.id)
        }
        #expect(await device.sync().failure == nil)
        #expect(try device.open().isEmpty && (device.event(event.id) == nil) == isRetried)
        #expect(try await network.events.isEmpty == isRetried)
    }

    @Test("tells of one deletion where it has undone those of a type and its events", arguments: [false, true])
    func undoneWithChildren(isRetried: Bool) async throws {
        let event = try await restore(type: true)
        let report = await device.sync()
        #expect(report.failure == nil && report.lostDeletions == 1)
        #expect(try device.conflicts.isEmpty && device.all(Event.self).isEmpty)
        let deletion = try #require(try device.mutation(of: event.eventTypeId))
        if isRetried {
            try await device.engine.retryMutation(id: deletion.id)
        } else {
            try await device.engine.dropMutation(id: deletion.id)
        }
        #expect(await device.sync().failure == nil)
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
        #expect(try (device.event(event.id) == nil) == isRetried)
        #expect(try await network.events.isEmpty == isRetried)
    }

    @Test("shows a record that another device has made again since")
    func madeAgain() async throws {
        let event = try await restore()
        try await network.remove(Event.self, id: event.id)
        try await network.put(event)
        let report = await device.sync()
        #expect(report.failure == nil && report.parked == 0)
        #expect(try device.event(event.id)?.notes == "deleted")
    }

    @Test("has an older version of a record, which is nobody's edit of what waits here", arguments: [false, true])
    func olderVersion(isAnswered: Bool) async throws {
        await network.always(.fail(refusal(404)), for: .exchange)
        let event = try await device.syncedCoffee(notes: "first")
        await device.sync()
        device.wallClock.advance(bySeconds: 60)
        let backup = await network.backup()
        try await device.edit(event.id) { ($0.notes, $0.locationName) = ("second", "lost") }
        await device.sync()
        device.wallClock.advance(bySeconds: 60)
        // Sent without an answer, it asks for what the older version has.
        try await device.edit(event.id) { $0.notes = isAnswered ? "third" : "first" }
        if !isAnswered {
            await network.enqueue(.fail(APIError.timeout), for: .update)
            await device.sync()
        }
        device.wallClock.advance(bySeconds: 400)
        await network.restore(backup)
        for _ in 0..<2 { #expect(await device.sync().failure == nil) }
        #expect(try device.open().isEmpty && device.event(event.id)?.notes == (isAnswered ? "third" : "first"))
        let lost = try device.conflicts
        #expect(lost.allSatisfy { $0.isLostByServer == true })
        #expect(Set(lost.map(\.remoteValue)) == ["second", "lost"])
    }
}
