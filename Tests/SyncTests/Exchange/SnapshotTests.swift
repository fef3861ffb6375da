import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A first sync and a full resync")
struct SnapshotTests {
    let device = Device { $0.changesPerPage = 10 }
    var server: ExchangeServer { device.server }

    private func fill(_ count: Int) throws -> [Event] {
        try server.create(device.coffee)
        return try fillFurther(count)
    }

    private func expectEqual() throws {
        #expect(try Set(device.all(Event.self)) == Set(server.all(Event.self)))
        #expect(try Set(device.all(EventType.self)) == Set(server.all(EventType.self)))
    }

    @Test("brings everything, once")
    func everything() async throws {
        _ = try fill(35)
        let definition = makePropertyDefinition(eventTypeId: device.coffee.id)
        try server.create(definition)
        let report = await device.sync()
        #expect(report.bootstrapped && report.failure == nil && report.placed == 37)
        try expectEqual()
        #expect(try device.all(PropertyDefinition.self) == [definition])
        #expect(await device.sync().bootstrapped == false)
    }

    @Test("fills parents first, and a full resync never shows readers less than there is")
    func readers() async throws {
        _ = try fill(35)
        let device = device
        await device.network.beforeEachCall { _ in
            let store = try device.store()
            let orphans = try store.count(Event.self) > 0 && store.count(EventType.self) == 0
            #expect(!orphans && !device.stores.isWriteLocked)
        }
        await device.sync()
        await device.network.beforeEachCall { _ in
            let count = try device.store().count(Event.self)
            #expect(count == 35)
        }
        #expect(await device.engine.forceFullResync().bootstrapped)
        try expectEqual()
    }

    @Test("goes on where it was cut off", arguments: [false, true])
    func resumes(isResync: Bool) async throws {
        _ = try fill(35)
        if isResync {
            await device.sync()
            _ = try device.tamper { try $0.askForFullResync() }
        }
        let before = server.requests.count
        // A full resync asks first whether the history is still the same.
        let first = isResync ? 1 : 0
        await device.network.enqueue(.serve, times: 2 + first, for: .exchange)
        await device.network.enqueue(.fail(APIError.connection("reset")), times: 2, for: .exchange)
        #expect(await device.sync().failure == .unreachable)
        #expect(server.requests.count == before + 2 + first)
        let report = await device.restarted { $0.changesPerPage = 10 }.sync()
        #expect(report.failure == nil)
        let requests = server.requests.dropFirst(before)
        #expect(requests.count { $0.cursor == nil } == 1 && requests.count == 4 + first)
        try expectEqual()
    }

    @Test(
        "that a person asks for is made also where nobody can tell with the cursor whether the history is the same",
        arguments: [(refusal(400), 1), (refusal(503), 5), (APIError.notAServer("HTML"), 5)])
    func unprovable(error: APIError, cycles: Int) async throws {
        _ = try fill(5)
        await device.sync()
        await device.network.beforeEachCall { call in
            if call.exchange?.cursor != nil { throw error }
        }
        _ = try device.tamper { try $0.askForFullResync() }
        for _ in 1..<cycles {
            #expect(await device.sync().failure != nil)
            device.wallClock.advance(bySeconds: 22_000)
        }
        let report = await device.sync()
        #expect(report.failure == nil && report.bootstrapped && report.parked == 0)
        let place = try device.store().exchangePlace()
        #expect(place.proof == nil && place.failedProofs == nil && place.resync == nil)
        try expectEqual()
    }

    @Test(
        "that meets a fault takes nothing away: the history is proven before the snapshot that is used",
        arguments: [refusal(503), .notAServer("HTML"), .malformedResponse("nonsense"), refusal(500)])
    func faultAtProof(error: APIError) async throws {
        let backup = try backup()
        let events = try fillFurther(4)
        await device.sync()
        server.restore(backup, underItsName: true)
        for _ in 0..<8 { try server.create(makeEvent(eventTypeId: device.coffee.id)) }
        _ = try device.tamper { try $0.askForFullResync() }
        await device.network.enqueue(.fail(error), for: .exchange)
        #expect(await device.sync().failure != nil)
        #expect(await device.sync().failure == nil)
        for event in events { #expect(try device.parkReason(of: event.id)?.code == .lostByServer) }
    }

    @Test("proves the history again if it ends between the proof and the snapshot")
    func restoredAfterProof() async throws {
        let backup = try backup()
        let events = try fillFurther(4)
        await device.sync()
        _ = try device.tamper { try $0.askForFullResync() }
        await device.network.enqueue(.serve, for: .exchange)
        await device.network.enqueue(.fail(refusal(500)), times: 2, for: .exchange)
        #expect(await device.sync().failure != nil)
        server.restore(backup, underItsName: true)
        for _ in 0..<8 { try server.create(makeEvent(eventTypeId: device.coffee.id)) }
        #expect(await device.sync().failure == nil)
        for event in events { #expect(try device.parkReason(of: event.id)?.code == .lostByServer) }
    }

    /// A backup of a server that has one event.
    private func backup() throws -> ExchangeServer.Backup {
        _ = try fill(1)
        return server.backup()
    }

    private func fillFurther(_ count: Int) throws -> [Event] {
        try (0..<count).map { _ in
            let event = makeEvent(eventTypeId: device.coffee.id)
            try server.create(event)
            return event
        }
    }

    @Test("brings what changes while it runs, and nothing that goes meanwhile", arguments: [false, true])
    func changesMeanwhile(isResync: Bool) async throws {
        let events = try fill(35)
        if isResync { await device.sync() }
        let (server, coffee) = (server, device.coffee)
        let calls = await device.network.calls.count
        let network = device.network
        await network.beforeEachCall { _ in
            guard await network.calls.count == calls + 3 else { return }
            try server.create(makeEvent(eventTypeId: coffee.id))
            for event in events.prefix(5) { try server.delete(.event, event.id) }
            try server.change(.event, events[20].id, ["notes": "meanwhile"])
            try server.change(.event, events[30].id, ["notes": "meanwhile"])
        }
        #expect(await device.engine.forceFullResync().failure == nil)
        #expect(try device.all(Event.self).count == 31)
        try expectEqual()
    }

    @Test("keeps unsent work, and does not bring back what was deleted here")
    func unsentWork() async throws {
        let events = try fill(15)
        await device.sync()
        try await device.edit(events[0].id) { $0.notes = "mine" }
        try await device.engine.delete(Event.self, id: events[1].id)
        let fresh = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        await device.fail(with: .connection("reset"))
        #expect(await device.engine.forceFullResync().pending == 3)
        #expect(try device.event(events[0].id)?.notes == "mine")
        #expect(try device.event(events[1].id) == nil && device.event(fresh.id) != nil)
        await device.heal()
        #expect(await device.sync().pending == 0)
        try expectEqual()
        #expect(try device.conflicts.isEmpty)
    }

    @Test(
        "sends what was made before the first sync, and merges what others have made under the same id",
        arguments: [
            "ours", "theirs",
        ])
    func madeBefore(notes: String) async throws {
        let event = try await device.logCoffee(notes: "ours")
        var other = event
        other.notes = notes
        other.locationName = "there"
        try server.create(device.coffee)
        try server.create(other)
        #expect(await device.sync().pending == 0)
        #expect(try device.event(event.id)?.notes == "ours" && device.event(event.id)?.locationName == "there")
        #expect(try device.conflicts.map(\.remoteValue) == (notes == "ours" ? [] : ["theirs"]))
        try expectEqual()
    }

    // MARK: Tombstones that the server has pruned

    @Test("takes out what the server does not have any more, also where it has forgotten when that went")
    func removesStale() async throws {
        let events = try fill(15)
        await device.sync()
        try server.delete(.event, events[3].id)
        server.pruneTombstones()
        let report = await device.sync()
        #expect(report.failure == nil && report.bootstrapped)
        #expect(try device.event(events[3].id) == nil)
        try expectEqual()
    }

    @Test("parks and lists an edit of what it does not show any more")
    func editOfStale() async throws {
        let events = try fill(5)
        await device.sync()
        try await device.edit(events[3].id) { $0.notes = "mine" }
        try server.delete(.event, events[3].id)
        server.pruneTombstones()
        #expect(await device.sync().failure == nil)
        #expect(try device.parkReason(of: events[3].id)?.code == .deletedElsewhere)
        #expect(try device.conflicts.map(\.kind) == [.editedHereDeletedElsewhere])
        #expect(try device.event(events[3].id)?.notes == "mine" && server.event(events[3].id) == nil)
    }

    @Test(
        "is followed by what was made here, though requests with it were refused before: nothing of these was done",
        arguments: [
            APIError.unauthorized("expired"), .rateLimited(retryAfter: 1), .notAServer("302", isElsewhere: true), nil,
        ])
    func refusedBefore(refusal: APIError?) async throws {
        let events = try fill(3)
        await device.sync()
        try server.delete(.event, events[0].id)
        server.pruneTombstones()
        let made = try await device.logCoffee(notes: "mine")
        if let refusal {
            await device.network.always(.fail(refusal), for: .exchange)
            await device.sync()
            await device.heal()
            #expect(try device.mutations([.queued]).count == 1 && device.mutations([.sending]).isEmpty)
            device.wallClock.advance(bySeconds: 120)
        }
        let report = await device.sync()
        #expect(report.failure == nil && report.bootstrapped && report.parked == 0)
        #expect(try server.event(made.id) == made)
        try expectEqual()
    }

    @Test(
        "ends a creation whose answer was lost and that was deleted here, and nobody has to decide",
        arguments: [false, true])
    func deletedCreateInFlight(arrived: Bool) async throws {
        _ = try fill(1)
        await device.sync()
        let event = try await device.logCoffee(notes: "mine")
        await device.loseNext(arrived ? .loseAnswer(.connection("reset")) : .loseRequest(.connection("reset")))
        await device.sync()
        try await device.engine.delete(Event.self, id: event.id)
        if arrived { try server.delete(.event, event.id) }
        server.forgetKeys()
        server.pruneTombstones()
        #expect(await device.sync().failure == nil)
        await device.sync()
        #expect(try device.open().isEmpty && device.event(event.id) == nil && server.event(event.id) == nil)
    }

    @Test("parks a creation whose answer was lost and that it does not show: somebody may have deleted the record")
    func createInFlight() async throws {
        _ = try fill(1)
        await device.sync()
        let event = try await device.logCoffee(notes: "mine")
        let unsent = try await device.engine.create(makeEventType())
        await device.loseNext()
        await device.sync()
        try await device.engine.dropMutation(id: try #require(try device.mutation(of: unsent.id)).id)
        try server.delete(.event, event.id)
        server.forgetKeys()
        server.pruneTombstones()
        #expect(await device.sync().failure == nil)
        #expect(try device.parkReason(of: event.id)?.code == .deletedElsewhere)
        #expect(try server.event(event.id) == nil && device.event(event.id)?.notes == "mine")
    }
}
