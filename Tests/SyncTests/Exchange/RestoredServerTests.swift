import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A server that was restored from a backup has lost the end of its history, and records with it.
@Suite("A server that was restored or replaced")
struct RestoredServerTests {
    private let devices = TwoDevices()
    private var server: ExchangeServer { devices.server }

    /// Both devices have everything; the server has what it had before the last three events.
    private func restoreAfterThreeMore(underItsName: Bool) async throws -> [Event] {
        _ = try await devices.shareEvent()
        let backup = server.backup()
        var lost: [Event] = []
        for note in ["one", "two", "three"] { lost.append(try await devices.a.logCoffee(notes: note)) }
        await devices.syncUntilQuiet()
        server.restore(backup, underItsName: underItsName)
        return lost
    }

    @Test("takes nothing away: what it has lost waits for the person, and can be sent again", arguments: [false, true])
    func lost(underItsName: Bool) async throws {
        let lost = try await restoreAfterThreeMore(underItsName: underItsName)
        let b = devices.b
        let report = await b.sync()
        #expect(report.failure == nil && report.bootstrapped && report.parked == 3)
        #expect(report.lost == 3 && report.lostDeletions == 0 && report.lostValues == 0)
        for event in lost {
            #expect(try b.event(event.id) == event && b.status(event.id) == .failed)
            #expect(try b.parkReason(of: event.id)?.code == .lostByServer)
        }
        for parked in try b.mutations([.parked]) { try await b.engine.retryMutation(id: parked.id) }
        await devices.syncUntilQuiet()
        for device in [devices.a, devices.b] {
            #expect(try device.open().isEmpty && device.conflicts.isEmpty)
            #expect(try Set(device.all(Event.self)) == Set(server.all(Event.self)))
        }
        #expect(server.records(of: .event).count == 4)
    }

    @Test("has not lost what others have deleted since: of that it had the very version that the device has")
    func deletedSince() async throws {
        let events = [try await devices.shareEvent(), try await devices.a.syncedCoffee(notes: "shared")]
        let backup = server.backup()
        let lost = try await devices.a.syncedCoffee(notes: "lost")
        server.restore(backup, underItsName: true)
        try server.delete(.event, events[0].id)
        let report = await devices.a.sync()
        #expect(report.failure == nil && report.lost == 1)
        #expect(try devices.a.conflicts.isEmpty)
        #expect(try Set(devices.a.all(Event.self).map(\.id)) == [events[1].id, lost.id])
        try await retryAll(on: devices.a)
        await devices.syncUntilQuiet()
        #expect(try server.event(events[0].id) == nil && Set(devices.b.all(Event.self)) == Set(server.all(Event.self)))
    }

    @Test("has not lost what others have deleted since, and an edit of that waits as after any deletion")
    func deletedAndEditedHere() async throws {
        let event = try await devices.shareEvent()
        _ = try await devices.a.syncedCoffee(notes: "shared")
        let backup = server.backup()
        _ = try await devices.a.syncedCoffee(notes: "lost")
        try await devices.a.edit(event.id) { $0.notes = "mine" }
        server.restore(backup, underItsName: true)
        try server.delete(.event, event.id)
        await devices.a.sync()
        #expect(try devices.a.parkReason(of: event.id)?.code == .deletedElsewhere)
        #expect(try devices.a.event(event.id)?.notes == "mine")
    }

    @Test("lets go of what it has lost where the person gives that up", arguments: [false, true])
    func dropped(underItsName: Bool) async throws {
        let lost = try await restoreAfterThreeMore(underItsName: underItsName)
        await devices.b.sync()
        for parked in try devices.b.mutations([.parked]) { try await devices.b.engine.dropMutation(id: parked.id) }
        #expect(await devices.b.sync().pushed == 0)
        #expect(try lost.allSatisfy { try devices.b.event($0.id) == nil })
        #expect(server.records(of: .event).count == 1)
    }

    private func retryAll(on device: Device) async throws {
        while let parked = try device.mutations([.parked]).first {
            try await device.engine.retryMutation(id: parked.id)
        }
        await device.sync()
    }

    @Test(
        "and to which another device has sent it again, and changed it: nothing goes over that",
        arguments: [false, true])
    func sentAgain(isEdited: Bool) async throws {
        let event = try await restoreAfterThreeMore(underItsName: false)[0]
        let (a, b) = (devices.a, devices.b)
        if isEdited { try await b.edit(event.id) { $0.locationName = "there" } }
        for device in [a, b] { await device.sync() }
        try await a.edit(event.id) { $0.notes = "later" }
        if isEdited { try await b.edit(event.id) { $0.isAllDay = true } }
        try await retryAll(on: a)
        await b.sync()
        #expect(try b.open().isEmpty)
        try await retryAll(on: b)
        await devices.syncUntilQuiet()
        for device in [a, b] {
            #expect(try device.event(event.id)?.notes == "later")
            #expect(try device.event(event.id) == server.event(event.id))
        }
        // What b had is listed: nobody can tell whether the other device has changed it since, or never had it.
        #expect(try Set(b.conflicts.map(\.remoteValue)) == (isEdited ? ["one", "there", true] : ["one"]))
        #expect(try b.conflicts.allSatisfy { $0.isLostByServer == true })
        for conflict in try b.conflicts where conflict.field != "notes" {
            try await b.engine.restoreConflict(id: conflict.id)
        }
        await devices.syncUntilQuiet()
        let there = try #require(try a.event(event.id))
        #expect(
            there.notes == "later" && there.locationName == (isEdited ? "there" : nil) && there.isAllDay == isEdited)
        #expect(try a.conflicts.isEmpty)
    }

    @Test("and to which another device has sent again what was deleted here: it is deleted there too")
    func sentAgainAfterDeletion() async throws {
        let event = try await restoreAfterThreeMore(underItsName: false)[0]
        try await devices.b.engine.delete(Event.self, id: event.id)
        for device in [devices.b, devices.a] { await device.sync() }
        try await retryAll(on: devices.a)
        await devices.syncUntilQuiet()
        for device in [devices.a, devices.b] {
            #expect(try device.event(event.id) == nil && device.mutations([.queued, .sending]).isEmpty)
        }
        #expect(try server.event(event.id) == nil)
    }

    @Test("that lacks a record which was deleted here does not show again what went with it")
    func deletedHere() async throws {
        let backup = server.backup()
        let event = try await devices.shareEvent()
        let unsent = try await devices.a.logCoffee(notes: "unsent")
        try await devices.a.engine.delete(EventType.self, id: devices.a.coffee.id)
        server.restore(backup)
        await devices.a.sync()
        #expect(try devices.a.open().isEmpty && devices.a.all(Event.self).isEmpty)
        #expect(try devices.a.event(event.id) == nil && devices.a.event(unsent.id) == nil)
        // Where another device sends both again, they are deleted there too. Nobody has edited them, so nothing is listed.
        await devices.b.sync()
        try await retryAll(on: devices.b)
        #expect(try server.event(event.id) != nil)
        await devices.syncUntilQuiet()
        for device in [devices.a, devices.b] {
            #expect(try device.open().isEmpty && device.conflicts.isEmpty && device.all(Event.self).isEmpty)
        }
        #expect(server.records(of: .eventType).isEmpty && server.records(of: .event).isEmpty)
    }

    @Test(
        "by one with only the older routes is spoken to by these after a day; what it lacks waits for the person"
    )
    func withoutExchange() async throws {
        let event = try await devices.shareEvent()
        let network = devices.a.network
        let missing = APIError.http(status: 404, problem: ProblemDetails(status: 404))
        await network.always(.fail(missing), for: .exchange)
        _ = try await network.seed()
        let theirs = try await network.put(makeEvent(notes: "theirs"))
        for _ in 0..<2 {
            #expect(await devices.a.sync().failure == .notAServer)
            #expect(try devices.a.open().isEmpty && devices.a.event(event.id) == event)
            devices.a.wallClock.advance(bySeconds: 43_200)
        }
        let report = await devices.a.sync()
        #expect(report.failure == nil && report.bootstrapped)
        #expect(try devices.a.event(theirs.id) != nil)
        #expect(try devices.a.parkReason(of: event.id)?.code == .lostByServer && devices.a.event(event.id) == event)
        // Where the older routes fail too, it is no server.
        await network.always(.fail(missing), for: .getLatestCursor)
        await devices.b.network.always(.fail(missing), for: .exchange)
        await devices.b.network.always(.fail(missing), for: .getLatestCursor)
        #expect(await devices.b.sync().failure != nil)
        #expect(try devices.b.event(event.id) == event && devices.b.open().isEmpty)
    }

    @Test("by one that has only the older routes is not asked for these by a sync that may not send any more")
    func withoutPermit() async throws {
        let device = devices.a
        let missing = APIError.http(status: 404, problem: ProblemDetails(status: 404))
        await device.network.always(.fail(missing), for: .exchange)
        func receive() async throws {
            let gateway = TrendySync.ServerGateway(
                client: device.network, stores: device.stores, schema: .trendy, wallClock: device.wallClock,
                clock: device.clock, identifiers: SequentialIdentifiers(), permit: { throw CycleStop.leaseLost })
            _ = try await gateway.receive(SyncRequest(epoch: "e", cursor: "5", limit: 10, mutations: []))
        }
        for _ in 0..<2 {
            await #expect(throws: APIError.self) { try await receive() }
            device.wallClock.advance(bySeconds: 43_200)
        }
        await #expect(throws: CycleStop.leaseLost) { try await receive() }
        #expect(await device.network.callCount(.getLatestCursor) == 0)
    }

    @Test("is noticed too where it has gone on for as long since, or longer", arguments: 2...5, [false, true])
    func grownAgain(count: Int, underItsName: Bool) async throws {
        let lost = try await restoreAfterThreeMore(underItsName: underItsName)
        for _ in 0..<count { try server.create(makeEvent(eventTypeId: devices.a.coffee.id)) }
        let report = await devices.b.sync()
        #expect(report.failure == nil && report.parked == 3)
        #expect(try lost.allSatisfy { try devices.b.event($0.id) != nil })
        #expect(try devices.b.all(Event.self).count == 4 + count)
    }

    @Test("shows each page of its history once, and nothing of the comparison stays behind", arguments: [false, true])
    func pages(underItsName: Bool) async throws {
        for number in 0..<12 { try await devices.a.logCoffee(notes: "\(number)") }
        await devices.a.sync()
        let device = Device(server, wallClock: devices.a.wallClock, seed: 3) { $0.changesPerPage = 4 }
        await device.sync()
        let copy = server.backup()
        _ = try await devices.a.syncedCoffee(notes: "lost")
        await device.sync()
        server.restore(copy, underItsName: underItsName)
        let before = server.requests.count
        #expect(await device.sync().parked == 1)
        // The first one is refused, because its cursor is of the other history.
        let cursors = server.requests.dropFirst(before + 1).map(\.cursor)
        #expect(cursors.first == .some(nil) && cursors.count == 4 && Set(cursors).count == 4)
        let place = try device.store().exchangePlace()
        #expect(place.shared == nil && place.resync == nil)
    }

    @Test("under another name, but with the history that a device knows, leaves it the revisions that it has")
    func renamed() async throws {
        let event = try await devices.shareEvent()
        let b = devices.b
        let known = try #require(try b.store().find(Event.self, id: event.id)?.revision)
        server.restore(server.backup())
        try server.create(makeEvent(eventTypeId: event.eventTypeId))
        let report = await b.sync()
        #expect(report.failure == nil && !report.bootstrapped && report.pulled == 1)
        #expect(try b.store().exchangePlace().epoch == server.epoch)
        #expect(try known > 0 && b.store().find(Event.self, id: event.id)?.revision == known)
        try await b.edit(event.id) { $0.notes = "mine" }
        #expect(await b.sync().pushed == 1)
        #expect(server.sent.last?.base == known)
    }

    @Test("takes the work that waits, edits of what it still has included")
    func unsentWork() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let backup = server.backup()
        try await devices.a.edit(event.id) { $0.locationName = "lost" }
        await devices.syncUntilQuiet()
        server.restore(backup)
        try await devices.b.edit(event.id) { $0.notes = "kept" }
        let made = try await devices.b.engine.create(makeEvent(eventTypeId: event.eventTypeId))
        #expect(await devices.b.sync().pending == 0)
        #expect(try server.event(event.id)?.notes == "kept" && server.event(made.id) == made)
        #expect(try devices.b.event(event.id) == server.event(event.id))
    }

    @Test("shows what it has lost of a record that it still has, so that it can be restored")
    func lostEdit() async throws {
        let event = try await devices.shareEvent(notes: "base")
        let backup = server.backup()
        devices.a.wallClock.advance(bySeconds: 60)
        try await devices.a.edit(event.id) { $0.locationName = "lost" }
        await devices.syncUntilQuiet()
        server.restore(backup)
        await devices.b.sync()
        #expect(try devices.b.event(event.id) == event)
        let conflict = try #require(try devices.b.conflicts.first)
        #expect(conflict.field == "location_name" && conflict.remoteValue == "lost")
        try await devices.b.engine.restoreConflict(id: conflict.id)
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id)?.locationName == "lost")
    }

    @Test("shows an older version of a record, which is nobody's edit", arguments: [false, true])
    func olderVersion(isDeleted: Bool) async throws {
        let a = devices.a
        let event = try await devices.shareEvent(notes: "first")
        let backup = server.backup()
        a.wallClock.advance(bySeconds: 60)
        try await a.edit(event.id) { $0.notes = "second" }
        await a.sync()
        a.wallClock.advance(bySeconds: 60)
        if isDeleted {
            try await a.engine.delete(Event.self, id: event.id)
        } else {
            try await a.edit(event.id) { $0.notes = "third" }
        }
        server.restore(backup)
        await devices.syncUntilQuiet()
        #expect(try server.event(event.id)?.notes == (isDeleted ? nil : "third") && a.open().isEmpty)
        #expect(try a.conflicts.map(\.remoteValue) == ["second"])
        #expect(try a.conflicts.allSatisfy { $0.isLostByServer == true })
    }
}
