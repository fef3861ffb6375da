import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Deleting a parent here")
struct HiddenChildrenTests {
    let devices = TwoDevices()
    var device: Device { devices.a }
    let tea = makeEventType(name: "tea")

    /// Nothing is open on the first device, and everybody has the same records.
    private func expectSettled() async throws {
        await devices.syncUntilQuiet()
        for one in [devices.a, devices.b] {
            #expect(try one.open().isEmpty)
            #expect(try Set(one.all(Event.self)) == Set(devices.server.all(Event.self)))
            #expect(try Set(one.all(EventType.self)) == Set(devices.server.all(EventType.self)))
        }
    }

    @Test("takes its unsent children along, and the server never hears of them")
    func unsentChildren() async throws {
        try await device.logCoffee()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.all(Event.self).isEmpty && device.open().isEmpty)
        await device.sync()
        #expect(devices.server.sent.isEmpty)
    }

    @Test(
        "hides children that the server has, with refused edits of them, and deletes them there with one deletion",
        arguments: [false, true])
    func syncedChildren(isRefused: Bool) async throws {
        let event = try await devices.shareEvent()
        devices.server.reject(isRefused ? [event.id] : [])
        try await device.edit(event.id) { $0.notes = "edited" }
        #expect(await device.sync().parked == (isRefused ? 1 : 0))
        let before = devices.server.sent.count
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.event(event.id) == nil)
        try await expectSettled()
        #expect(devices.server.sent.dropFirst(before).map(\.operation) == [.delete])
        #expect(devices.server.records(of: .event).isEmpty)
    }

    @Test("clears references that need not go with it", arguments: [false, true])
    func cleared(isSynced: Bool) async throws {
        try await device.engine.create(device.coffee)
        let place = try await device.engine.create(makeGeofence(eventTypeEntryId: device.coffee.id))
        if isSynced { await device.sync() }
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.find(Geofence.self, place.id)?.eventTypeEntryId == nil)
        try await expectSettled()
        #expect(try devices.server.find(Geofence.self, place.id)?.eventTypeEntryId == nil)
        #expect(try devices.b.find(Geofence.self, place.id) == device.find(Geofence.self, place.id))
    }

    @Test("hides what others put beneath it meanwhile, for as long as the deletion waits")
    func receivedChildren() async throws {
        _ = try await devices.shareEvent()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await device.engine.clearPendingMutations()
        let theirs = makeEvent(eventTypeId: device.coffee.id, notes: "theirs")
        try devices.server.create(theirs)
        await device.sync()
        #expect(try device.event(theirs.id) == nil && device.conflicts.map(\.entityId) == [theirs.id])
        let deletion = try #require(try device.mutations([.parked]).first)
        try await device.engine.dropMutation(id: deletion.id)
        #expect(try device.event(theirs.id) == theirs)
        try await expectSettled()
    }

    @Test("that somebody else has deleted too ends refused and unsent work beneath it", arguments: [false, true])
    func deletedByBoth(isRefused: Bool) async throws {
        let event = try await devices.shareEvent()
        devices.server.reject([event.id])
        try await device.edit(event.id) { $0.notes = "edited" }
        if isRefused { await device.sync() }
        let unsent = try await device.logCoffee(notes: "unsent")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await devices.b.engine.delete(EventType.self, id: device.coffee.id)
        await devices.b.sync()
        try await expectSettled()
        #expect(try device.event(unsent.id) == nil && device.mutations([.parked]).isEmpty)
    }

    @Test(
        "tells of a child that somebody has edited meanwhile, also where it was edited here", arguments: [false, true])
    func editedChild(isEditedHere: Bool) async throws {
        let event = try await devices.shareEvent()
        if isEditedHere { try await device.edit(event.id) { $0.notes = "ours" } }
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await devices.b.edit(event.id) { $0.isAllDay = true }
        await devices.b.sync()
        await device.sync()
        let conflict = try #require(try device.conflicts.first)
        #expect(try device.conflicts.count == 1)
        #expect(conflict.kind == .deletedHereEditedElsewhere && conflict.entityId == event.id)
        #expect(conflict.remoteValue.objectValue?["is_all_day"] == true)
        try await expectSettled()
    }

    @Test("ends what was unsent beneath it, also where somebody has brought it back by then")
    func broughtBack() async throws {
        _ = try await devices.shareEvent()
        let unsent = try await device.logCoffee(notes: "unsent")
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try devices.server.delete(.eventType, device.coffee.id)
        try devices.server.create(device.coffee)
        // What the server takes before the deletion is beneath the new record; what it does not take ends here.
        await device.fail([unsent.id])
        await device.sync()
        await device.heal()
        try await expectSettled()
        #expect(try device.find(EventType.self, device.coffee.id) != nil)
        #expect(try device.event(unsent.id) == nil)
    }

    @Test(
        "and making it anew hold back what is logged beneath the new one, while both are parked",
        arguments: DecisionAboutBoth.allCases)
    fileprivate func parkedWithItsSuccessor(decision: DecisionAboutBoth) async throws {
        try await device.engine.create(device.coffee)
        await device.sync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await device.engine.create(device.coffee)
        try await device.engine.clearPendingMutations()
        let event = try await device.logCoffee(notes: "new")
        await device.sync()
        #expect(try devices.server.event(event.id) == nil)
        #expect(try device.event(event.id)?.notes == "new")
        switch decision {
        case .madeElsewhere:
            try devices.server.delete(.eventType, device.coffee.id)
            try devices.server.create(device.coffee)
        case .deletionFirst:
            // Somebody has edited the type, so the deletion goes twice.
            try devices.server.change(.eventType, device.coffee.id, ["icon": "cup"])
            let deletion = try #require(try device.mutations([.parked]).first)
            try await device.engine.retryMutation(id: deletion.id)
            await device.sync()
        case .both: break
        }
        for parked in try device.mutations([.parked]) { try await device.engine.retryMutation(id: parked.id) }
        await device.sync()
        try await device.edit(event.id) { $0.notes = "edited" }
        try await expectSettled()
        #expect(try devices.server.event(event.id)?.notes == "edited")
    }

    // MARK: A parent that is gone, and comes back

    @Test("elsewhere, while it is deleted here, shows what the server takes beneath the new one")
    func taken() async throws {
        _ = try await devices.shareEvent()
        try await device.edit(EventType.self, device.coffee.id) { $0.name = "ours" }
        let unsent = try await device.logCoffee(notes: "unsent")
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try devices.server.delete(.eventType, device.coffee.id)
        try devices.server.create(device.coffee)
        await device.sync()
        #expect(try devices.server.event(unsent.id) != nil)
        try await expectSettled()
    }

    @Test("elsewhere holds back what was made beneath it, until somebody brings it back")
    func heldBack() async throws {
        _ = try await devices.shareEvent()
        try devices.server.delete(.eventType, device.coffee.id)
        try await device.edit(EventType.self, device.coffee.id) { $0.name = "ours" }
        let unsent = try await device.logCoffee(notes: "unsent")
        await device.sync()
        #expect(try device.parkReason(of: unsent.id)?.code == .blocked)
        try devices.server.create(device.coffee)
        await device.sync()
        #expect(try devices.server.event(unsent.id) == unsent)
        try await expectSettled()
    }

    // MARK: Children that an unsent edit has moved

    /// An event that everybody has beneath coffee, and that an unsent edit has moved to tea.
    private func moveToTea(teaIsShared: Bool) async throws -> Event {
        let event = try await devices.shareEvent(notes: "moved")
        try await device.engine.create(tea)
        if teaIsShared { await devices.syncUntilQuiet() }
        try await device.edit(event.id) { [tea] in $0.eventTypeId = tea.id }
        return event
    }

    @Test("takes a child along that was moved to it", arguments: [false, true])
    func movedChild(teaIsShared: Bool) async throws {
        let event = try await moveToTea(teaIsShared: teaIsShared)
        try await device.engine.delete(EventType.self, id: tea.id)
        #expect(try device.event(event.id) == nil)
        try await expectSettled()
        #expect(try devices.server.all(Event.self).isEmpty)
        #expect(try devices.server.all(EventType.self) == [device.coffee])
    }

    @Test("lets a child go that was moved away before", arguments: [false, true])
    func movedAway(isSent: Bool) async throws {
        let event = try await moveToTea(teaIsShared: true)
        if isSent { await device.sync() }
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        #expect(try device.event(event.id)?.eventTypeId == tea.id)
        try await expectSettled()
        #expect(try devices.server.event(event.id)?.eventTypeId == tea.id)
    }

    @Test("ends no deletion of a child that somebody else has moved away meanwhile")
    func deletedChild() async throws {
        let event = try await devices.shareEvent()
        try await devices.b.engine.create(tea)
        await devices.syncUntilQuiet()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.clearPendingMutations()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        try await devices.b.edit(event.id) { [tea] in $0.eventTypeId = tea.id }
        await devices.b.sync()
        await devices.syncUntilQuiet()
        #expect(try device.event(event.id) == nil && device.conflicts.map(\.entityId) == [event.id])
        let deletion = try #require(try device.mutations([.parked]).first)
        try await device.engine.retryMutation(id: deletion.id)
        try await expectSettled()
        #expect(try devices.server.event(event.id) == nil)
    }

    @Test("ends a child that was deleted and made again before")
    func madeAgainBefore() async throws {
        let event = try await devices.shareEvent()
        await device.fail([event.id])
        try await device.engine.delete(Event.self, id: event.id)
        await device.sync()
        try await device.engine.create(event)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.sync()
        await device.heal()
        try await expectSettled()
        #expect(try device.event(event.id) == nil && devices.server.event(event.id) == nil)
    }

    @Test("takes it out of an event that names it and was refused")
    func refusedReference() async throws {
        try await device.engine.create(device.coffee)
        let place = try await device.engine.create(makeGeofence())
        await device.sync()
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id, geofenceId: place.id))
        try devices.server.delete(.geofence, place.id)
        try await device.engine.delete(Geofence.self, id: place.id)
        await device.sync()
        #expect(try device.event(event.id)?.geofenceId == nil)
        // Whoever brings the place back does not put the event there again.
        try devices.server.create(place)
        try await expectSettled()
        #expect(try devices.server.event(event.id)?.geofenceId == nil && device.find(Geofence.self, place.id) != nil)
    }

    @Test(
        "leaves it in an event that was sent without an answer, whose key tells what became of it",
        arguments: [false, true]
    )
    func sentReference(isDeleted: Bool) async throws {
        try await device.engine.create(device.coffee)
        let place = try await device.engine.create(makeGeofence())
        await devices.syncUntilQuiet()
        let made = makeEvent(eventTypeId: device.coffee.id, notes: "bitter", geofenceId: place.id)
        let event = try await device.engine.create(made)
        await device.loseNext()
        await device.sync()
        try await device.engine.clearPendingMutations()
        // The event has arrived, and has changed since.
        if isDeleted {
            try devices.server.delete(.event, event.id)
        } else {
            await devices.b.sync()
            try await devices.b.edit(event.id) { $0.notes = nil }
            await devices.b.sync()
        }
        _ = await device.engine.forceFullResync()
        try await device.engine.delete(Geofence.self, id: place.id)
        await device.sync()
        try await device.engine.retryMutation(id: #require(try device.mutations([.parked]).first).id)
        await devices.syncUntilQuiet()
        let creates = devices.server.sent.filter { $0.entityId == event.id && $0.operation == .create }
        #expect(Set(creates.map(\.key)).count == 1)
        if isDeleted {
            #expect(try devices.server.event(event.id) == nil && device.event(event.id) == nil)
            #expect(try device.open().isEmpty && device.conflicts.isEmpty)
        } else {
            let there = try #require(try devices.server.event(event.id))
            #expect(there.notes == nil && there.geofenceId == nil)
            #expect(try device.event(event.id) == there && device.open().isEmpty && device.conflicts.isEmpty)
        }
    }

    // MARK: What the deletion leaves until the server has told of the children

    @Test("is carried out on its children at once, though the server has told of none yet", arguments: [false, true])
    func toldLater(isMovedAway: Bool) async throws {
        let event = try await devices.shareEvent()
        let place = try await device.engine.create(makeGeofence(eventTypeEntryId: device.coffee.id))
        try await devices.b.engine.create(tea)
        await devices.syncUntilQuiet()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        let deletion = try #require(try device.open().first)
        let revision = devices.server.head + 1
        try await device.deliver(
            [],
            results: [SyncResult(key: deletion.clientRequestId, outcome: .accepted, revision: revision)])
        await device.sync()
        #expect(try device.open().isEmpty && device.event(event.id) == nil)
        let base = try #require(try device.store().bases(.event, ids: [event.id])[event.id])
        #expect(base.isDeleted && base.revision < revision)
        #expect(try device.find(Geofence.self, place.id)?.eventTypeEntryId == nil)
        if isMovedAway { try devices.server.change(.event, event.id, ["event_type_id": .string(tea.id)]) }
        try devices.server.delete(.eventType, device.coffee.id)
        try await expectSettled()
        #expect(try (device.event(event.id) != nil) == isMovedAway)
    }

    @Test("hides what others put beneath it before it has arrived, also where it was made again meanwhile")
    func madeAgainMeanwhile() async throws {
        let event = try await devices.shareEvent()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        await device.loseNext(.loseRequest(.timeout))
        await device.sync()
        try await device.engine.create(device.coffee)
        let theirs = try await devices.b.logCoffee(notes: "theirs")
        await devices.b.sync()
        try await expectSettled()
        // The first event came back with its type. The deletion took the other along, which nobody here had seen.
        #expect(try device.event(event.id) == event && device.event(theirs.id) == nil)
        #expect(try device.conflicts.map(\.entityId) == [theirs.id])
    }

    @Test("elsewhere refuses a move to it: the event is not deleted, and its edit can be dropped")
    func deletedElsewhere() async throws {
        let event = try await moveToTea(teaIsShared: true)
        try await devices.b.engine.delete(EventType.self, id: tea.id)
        await devices.b.sync()
        await devices.syncUntilQuiet()
        #expect(try device.parkReason(of: event.id)?.code == .blocked)
        #expect(try device.event(event.id) != nil && devices.b.event(event.id) == event)
        for parked in try device.mutations([.parked]) { try await device.engine.dropMutation(id: parked.id) }
        #expect(try device.event(event.id) == event)
        try await expectSettled()
    }
}

/// What is decided about a deletion and the record that was made anew behind it.
private enum DecisionAboutBoth: CaseIterable {
    case both, deletionFirst, madeElsewhere
}
