import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Crossed paths: changes that meet an unsettled one")
struct CrossedPathTests {
    private let refusedName = APIError.http(status: 409, problem: ProblemDetails(detail: "taken"))
    private let failure = APIError.http(status: 500, problem: ProblemDetails(detail: "duplicate key"))

    @Test(
        "a batch that was committed before its answer was lost ends, though the server refuses it as a whole for ever")
    func committedBatch() async throws {
        let device = Device()
        try await device.engine.create(device.coffee)
        try await device.engine.create(contentsOf: (0..<50).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        await device.network.always(.fail(failure), for: .createBatch)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(try await device.network.records(Event.self).count == 50)
    }

    @Test(
        "of a batch that was committed before its answer was lost, nothing comes back that was deleted since",
        arguments: [0, 1])
    func deletedFromCommittedBatch(_ place: Int) async throws {
        let device = Device()
        try await device.engine.create(device.coffee)
        let events = (0..<4).map { makeEvent(eventTypeId: device.coffee.id, notes: "\($0)") }
        try await device.engine.create(contentsOf: events)
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        try await device.edit(events[2].id) { $0.notes = "precious" }
        for event in [events[place], events[2]] { try await device.network.remove(Event.self, id: event.id) }
        await device.network.always(.fail(failure), for: .createBatch)
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        let there = try await device.network.records(Event.self).map(\.id)
        #expect(Set(there) == [events[1 - place].id, events[3].id])
        #expect(try device.event(events[place].id) == nil)
        #expect(try device.event(events[2].id)?.entity.notes == "precious")
        #expect(try device.parkReason(of: events[2].id)?.code == .deletedElsewhere)
        #expect(await device.network.callCount(.create, .event) == 0)
    }

    @Test("a deletion that waits for the person and comes true elsewhere leaves nothing open of its record")
    func deletionComesTrue() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent()
        try await devices.a.edit(event.id) { $0.notes = "edited" }
        await devices.network.enqueue(.serveThenFail(APIError.timeout), for: .update)
        _ = await devices.a.engine.performSync()
        try await devices.a.engine.delete(Event.self, id: event.id)
        _ = try await devices.a.engine.clearPendingMutations()
        try await devices.network.remove(Event.self, id: event.id)
        #expect(await devices.a.engine.performSync().failure == nil)
        #expect(try devices.a.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try devices.a.event(event.id) == nil)
    }

    @Test("deleting one's own duplicate leaves the other device's record alone")
    func deletedDuplicate() async throws {
        let device = Device()
        let theirs = makeEventType(name: device.coffee.name)
        try await device.network.put(theirs)
        try await device.engine.create(device.coffee)
        await device.network.enqueue(.fail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        for _ in 0..<3 { _ = await device.engine.performSync() }
        #expect(try await device.network.records(EventType.self).map(\.id) == [theirs.id])
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
    }

    @Test("an edit during a create that is refused as a duplicate loses neither")
    func editedDuplicate() async throws {
        let device = Device()
        let theirs = makeEventType(name: device.coffee.name)
        try await device.network.put(theirs)
        let event = try await device.logCoffee()
        await device.network.enqueue(.fail(APIError.timeout), for: .create)
        _ = await device.engine.performSync()
        var edited = device.coffee
        edited.icon = "cup"
        try await device.engine.update(edited)
        for _ in 0..<3 { _ = await device.engine.performSync() }
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
        #expect(try await device.network.record(EventType.self, id: theirs.id)?.entity.icon == "cup")
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.eventTypeId == theirs.id)
    }

    @Test("a record made again under the id of a deleted one is there in the end")
    func madeAgain() async throws {
        let devices = TwoDevices()
        let event = try await devices.shareEvent(notes: "again")
        try await devices.a.engine.delete(Event.self, id: event.id)
        try await devices.a.engine.create(event)
        await devices.syncUntilQuiet()
        #expect(try await devices.network.record(Event.self, id: event.id) != nil)
        #expect(try devices.a.event(event.id)?.entity == event)
        #expect(try devices.b.event(event.id)?.entity == event)
    }
}

@Suite("Bootstrap beside a busy server")
struct BusyBootstrapTests {
    let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500)
    ])

    @Test("finds what lies in a gap of several pages")
    func largeShift() async throws {
        let coffee = makeEventType(name: "coffee")
        try await network.put(coffee)
        var events: [Event] = []
        for number in 0..<60 {
            let moment = ManualWallClock.defaultStart.advanced(bySeconds: Double(-number))
            let event = makeEvent(eventTypeId: coffee.id, timestamp: moment)
            try await network.put(event)
            events.append(event)
        }
        let (network, gone) = (network, events.prefix(28))
        await network.beforeEachCall { call in
            guard call.operation == .list, call.list?.offset == 27 else { return }
            for event in gone { try? await network.remove(Event.self, id: event.id) }
        }
        // Reading the feed's youngest stretch again would hide what the listing missed.
        let device = Device(network) { $0.feedOverlap = 0 }
        _ = await device.engine.performSync()
        #expect(Set(try device.store().fetchAllEvents().map(\.id)) == Set(events.dropFirst(28).map(\.id)))
    }

    @Test("finds what was deleted while it ran and made anew afterwards")
    func madeAnew() async throws {
        let coffee = makeEventType(name: "coffee")
        try await network.put(coffee)
        let event = makeEvent(eventTypeId: coffee.id)
        try await network.put(event)
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .list, call.entityType == .event else { return }
            await network.beforeEachCall(nil)
            try? await network.remove(Event.self, id: event.id)
        }
        await network.enqueue(.fail(APIError.connection("reset")), for: .getChanges)
        let device = Device(network)
        _ = await device.engine.performSync()
        #expect(try device.event(event.id) == nil)
        try await network.put(event)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.event(event.id)?.entity == event)
    }

    @Test("reads an entry that appears behind the cursor it began with")
    func lateEntry() async throws {
        let coffee = makeEventType(name: "coffee")
        try await network.put(coffee)
        let late = await network.skipChangeIds()
        try await network.put(makeEvent(eventTypeId: coffee.id))
        let slow = makeEvent(eventTypeId: coffee.id, notes: "slow transaction")
        let network = network
        await network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            _ = try? await network.put(slow, at: late)
            await network.beforeEachCall(nil)
        }
        let device = Device(network)
        _ = await device.engine.performSync()
        #expect(try device.event(slow.id) != nil)
    }
}
