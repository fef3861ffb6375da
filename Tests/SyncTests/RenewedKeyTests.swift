import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// The change that takes its place comes behind what was done to the record meanwhile.
@Suite("A change that goes under another key")
struct RenewedKeyTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }
    private let refusal = APIError.http(
        status: 422, problem: ProblemDetails(detail: "this Idempotency-Key was used for another request"))

    /// Does something while the next call of that operation is under way.
    private func during(_ operation: MockOperation, _ action: @escaping @Sendable () async throws -> Void) async {
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == operation else { return }
            await network.beforeEachCall(nil)
            try await action()
        }
    }

    @Test("undoes no edit that was made while it was refused", arguments: [false, true])
    func laterEdit(setsAnother: Bool) async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        // What others do meanwhile shows the value that both edits began from.
        try await network.edit(Event.self, id: event.id) { $0.originalTitle = "theirs" }
        try await device.edit(event.id) { edited in
            edited.notes = "second"
            if setsAnother { edited.locationName = "park" }
        }
        let edit = try #require(try device.mutations([.queued]).first)
        await network.enqueue(.fail(refusal), for: .update)
        await during(.update) { [device] in try await device.edit(event.id) { $0.notes = "third" } }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0 && report.conflicts == 0)
        let kept = try #require(try await network.record(Event.self, id: event.id)?.entity)
        #expect(kept.notes == "third" && kept.locationName == (setsAnother ? "park" : nil))
        #expect(kept.originalTitle == "theirs")
        #expect(try device.event(event.id)?.entity == kept)
        #expect(try device.event(event.id)?.syncStatus == .synced)
        #expect(try await device.engine.outcome(of: edit.id) == .accepted)
    }

    @Test("undoes none of several later edits either, and keeps what they leave to it")
    func severalEdits() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { ($0.notes, $0.locationName, $0.originalTitle) = ("second", "park", "walk") }
        await network.enqueue(.fail(refusal), for: .update)
        await during(.update) { [device] in
            try await device.edit(event.id) { $0.notes = "third" }
            try await device.edit(event.id) { $0.locationName = "home" }
        }
        #expect(await device.engine.performSync().pending == 0)
        let kept = try #require(try await network.record(Event.self, id: event.id)?.entity)
        #expect(kept.notes == "third" && kept.locationName == "home" && kept.originalTitle == "walk")
        #expect(try device.event(event.id)?.entity == kept)
    }

    @Test("takes an edit in that waits for it where it makes the record", arguments: [false, true])
    func editOfNew(whileInBatch: Bool) async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let event = try await device.logCoffee(notes: "first")
        await network.enqueue(.fail(refusal), for: .createBatch)
        await network.enqueue(.fail(refusal), for: .create, .event)
        await during(whileInBatch ? .createBatch : .create) { [device] in
            try await device.edit(event.id) { $0.notes = "second" }
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0 && report.conflicts == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "second")
        #expect(try device.event(event.id)?.entity.notes == "second")
        #expect(try device.event(event.id)?.syncStatus == .synced)
        let edit = try #require(try device.mutations().first { $0.operation == .update })
        #expect(try await device.engine.outcome(of: edit.id) == .accepted)
    }
}

/// Its first key had another body, which the server may have taken, and which others may have changed since.
@Suite("A new record that goes under another key")
struct RenewedCreateTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }
    private let refusal = APIError.http(
        status: 422, problem: ProblemDetails(detail: "this Idempotency-Key was used for another request"))
    private let failing = APIError.http(status: 500, problem: ProblemDetails(status: 500))

    /// The device makes the type once more, with another icon.
    private func createWithLeaf() async throws {
        var changed = device.coffee
        changed.icon = "leaf"
        try await device.engine.create(changed)
        await network.enqueue(.fail(refusal), for: .create)
    }

    private func expectTheirsAndLeafListed() async throws {
        #expect(await network.callCount(.create, .eventType) == 1)
        #expect(try await network.record(EventType.self, id: device.coffee.id)?.entity == device.coffee)
        #expect(try device.store().findEventType(id: device.coffee.id) == device.coffee)
        let conflicts = try await device.engine.conflicts()
        #expect(conflicts.map(\.field) == ["icon"] && conflicts.map(\.remoteValue) == ["leaf"])
    }

    @Test("is looked for first: what the server has stays, and what differs here is listed")
    func isThere() async throws {
        try await network.put(device.coffee)
        try await createWithLeaf()
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        try await expectTheirsAndLeafListed()
    }

    @Test("is looked for once more where the first look got no answer")
    func secondLook() async throws {
        try await network.put(device.coffee)
        try await createWithLeaf()
        await network.enqueue(.fail(failing), for: .get, .eventType)
        #expect(await device.engine.performSync().pending == 1)
        #expect(await device.engine.performSync().pending == 0)
        try await expectTheirsAndLeafListed()
    }

    @Test("goes where the server has nothing of it")
    func isMissing() async throws {
        try await createWithLeaf()
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0 && report.conflicts == 0)
        #expect(try await network.record(EventType.self, id: device.coffee.id)?.entity.icon == "leaf")
        #expect(Set(await network.idempotencyKeys(.create)).count == 2)
    }

    @Test("is not made anew where it was deleted elsewhere: what it says is kept aside", arguments: [false, true])
    func deletedElsewhere(looksTwice: Bool) async throws {
        try await network.put(makeEventType(name: "tea"))
        _ = await device.engine.performSync()
        try await network.put(device.coffee)
        try await network.remove(EventType.self, id: device.coffee.id)
        try await createWithLeaf()
        if looksTwice {
            await network.enqueue(.fail(failing), for: .get, .eventType)
            await network.enqueue(.fail(failing), for: .getChanges)
            _ = await device.engine.performSync()
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 1)
        #expect(await network.callCount(.create, .eventType) == 1)
        #expect(try await network.record(EventType.self, id: device.coffee.id) == nil)
        #expect(try device.parkReason(of: device.coffee.id)?.code == .deletedElsewhere)
        #expect(try device.store().findEventType(id: device.coffee.id)?.icon == "leaf")
        let parked = try #require(try device.mutations([.parked]).first)
        try await device.engine.retryMutation(id: parked.id)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await network.record(EventType.self, id: device.coffee.id)?.entity.icon == "leaf")
    }
}
