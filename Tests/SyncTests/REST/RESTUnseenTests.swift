import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("What the feed of a deployed server has not shown")
struct RESTUnseenTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    @Test("is merged with later edits when the answer to an earlier one shows it, and the value that loses is listed")
    func inAnswer() async throws {
        await network.always(.fail(refusal(404)), for: .exchange)
        let event = try await device.syncedCoffee(notes: "first")
        await device.sync()
        device.wallClock.advance(bySeconds: 60)
        try await device.edit(event.id) { $0.notes = "second" }
        let device = device
        await network.beforeEachCall { [network] call in
            guard call.operation == .update else { return }
            await network.beforeEachCall(nil)
            try await device.edit(event.id) { $0.locationName = "ours" }
            throw APIError.rateLimited(retryAfter: 1)
        }
        await device.sync()
        #expect(try device.open().count == 2)
        try await network.edit(Event.self, id: event.id) { $0.locationName = "theirs" }
        await network.forgetChanges(of: event.id)
        device.wallClock.advance(bySeconds: 120)
        #expect(await device.sync().pending == 0)
        #expect(try device.conflicts.map(\.remoteValue) == ["theirs"])
        let there = try #require(try await network.record(Event.self, id: event.id)?.entity)
        #expect(there.notes == "second" && there.locationName == "ours")
    }

    @Test("is not made again where it was deleted while its create was in doubt")
    func deletedInDoubt() async throws {
        await network.always(.fail(refusal(404)), for: .exchange)
        _ = try await device.syncedCoffee()
        let (event, device) = (try await device.logCoffee(notes: "first"), device)
        await network.beforeEachCall { [network] call in
            guard call.entityIds == [event.id] else { return }
            await network.beforeEachCall(nil)
            try await network.put(event)
            throw CancellationError()
        }
        await device.sync()
        #expect(try device.open().map(\.state) == [.sending])
        try await network.edit(Event.self, id: event.id) { $0.notes = "theirs" }
        await network.forgetChanges(of: event.id)
        await network.always(.fail(refusal(500)), for: .get)
        await device.engine.forceFullResync()
        #expect(try device.mutation(of: event.id)?.operation == .create && device.open().count == 1)
        try await network.delete(Event.self, id: event.id, idempotencyKey: nil)
        await network.forgetChanges(of: event.id)
        await network.always(nil, for: .get)
        await device.sync()
        #expect(try await network.record(Event.self, id: event.id) == nil)
        #expect(try device.parkReason(of: event.id)?.code == .deletedElsewhere)
    }

    @Test("is deleted when it arrives after all, if the device has deleted it meanwhile", arguments: [false, true])
    func afterDeletion(isDropped: Bool) async throws {
        await network.always(.fail(refusal(404)), for: .exchange)
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "given up")
        await network.always(.fail(APIError.timeout), for: .create)
        await network.always(.fail(APIError.timeout), for: .createBatch)
        await device.sync()
        #expect(try device.open().map(\.state) == [.sending])
        try await device.engine.clearPendingMutations()
        if isDropped {
            try await device.engine.dropMutation(id: #require(try device.mutation(of: event.id)).id)
        } else {
            try await device.engine.delete(Event.self, id: event.id)
        }
        await network.always(nil)
        await network.always(.fail(refusal(404)), for: .exchange)
        await device.sync()
        #expect(try device.open().isEmpty)
        try await network.put(event)
        await device.sync()
        await device.sync()
        #expect(try device.event(event.id) == nil && device.open().isEmpty && device.conflicts.isEmpty)
        #expect(try await network.record(Event.self, id: event.id) == nil)
    }

    @Test("because it was skipped is asked for before an edit, which goes over no value of others")
    func skipped() async throws {
        await network.always(.fail(refusal(404)), for: .exchange)
        let event = try await device.syncedCoffee(notes: "first")
        device.wallClock.advance(bySeconds: 60)
        try await network.edit(Event.self, id: event.id) {
            $0.notes = "theirs"
            $0.properties["mood"] = PropertyValue(type: .number, value: 7)
        }
        try await device.engine.skipToLatestCursor()
        try await device.edit(event.id) {
            $0.locationName = "ours"
            $0.properties["size"] = PropertyValue(type: .number, value: 2)
        }
        #expect(await device.sync().pending == 0)
        let there = try #require(try await network.record(Event.self, id: event.id)?.entity)
        #expect(
            there.notes == "theirs" && there.locationName == "ours" && Set(there.properties.keys) == ["mood", "size"])
        #expect(try device.event(event.id)?.notes == "theirs" && device.conflicts.isEmpty)
    }
}
