import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("What has the same name on two devices")
struct SamenessTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    private func expectAgreement(types: Int = 1, of others: [Device] = []) throws {
        #expect(devices.server.records(of: .eventType).count == types)
        for device in [a, b] + others {
            #expect(try Set(device.all(EventType.self)) == Set(devices.server.all(EventType.self)))
            #expect(try Set(device.all(Event.self)) == Set(devices.server.all(Event.self)))
            #expect(try Set(device.all(PropertyDefinition.self)) == Set(devices.server.all(PropertyDefinition.self)))
            #expect(try Set(device.all(Geofence.self)) == Set(devices.server.all(Geofence.self)))
            #expect(try device.open().isEmpty)
        }
    }

    @Test(
        "is one record in the spelling that came first, and that is no conflict",
        arguments: [
            ("coffee", "Coffee"), ("Caf\u{E9}", "Cafe\u{301}"), ("Straße", "STRASSE"), ("ｔｅａ", "tea"),
            ("green tea", "green\u{A0}tea "), ("tea", "tea\u{200B}"),
        ])
    func spellings(_ first: String, _ second: String) async throws {
        let (one, other) = (makeEventType(name: first), makeEventType(name: second))
        try await a.engine.create(one)
        try await b.engine.create(other)
        let events = [makeEvent(eventTypeId: one.id), makeEvent(eventTypeId: other.id)]
        try await a.engine.create(events[0])
        try await b.engine.create(events[1])
        try await a.engine.create(makePropertyDefinition(eventTypeId: one.id, key: "size", label: "Size"))
        try await b.engine.create(makePropertyDefinition(eventTypeId: other.id, key: "SIZE", label: "Size"))
        try await a.engine.create(makeGeofence(name: first))
        try await b.engine.create(makeGeofence(name: second, eventTypeEntryId: other.id))
        await devices.syncUntilQuiet()
        try expectAgreement()
        let type = try #require(try b.all(EventType.self).first)
        #expect(type.id == one.id && Array(type.name.utf8) == Array(first.utf8))
        #expect(try Set(b.all(Event.self).map(\.id)) == Set(events.map(\.id)))
        #expect(try b.all(PropertyDefinition.self).map(\.key) == ["size"])
        #expect(try b.all(Geofence.self).count == 1)
        let listed = try b.conflicts
        #expect(try a.conflicts.isEmpty)
        #expect(listed.map(\.field) == ["event_type_entry_id"] && listed.first?.remoteValue == .string(one.id))
    }

    @Test("lists a colour that a person has chosen, and none that the app has suggested", arguments: [false, true])
    func colours(isChosen: Bool) async throws {
        let colour = isChosen ? "#123456" : EventType.suggestedColors[1]
        try await a.engine.create(EventType(id: freshId(), name: "tea"))
        try await b.engine.create(EventType(id: freshId(), name: "Tea", color: colour))
        await devices.syncUntilQuiet()
        try expectAgreement()
        #expect(try b.all(EventType.self).map(\.color) == [EventType.defaultColor])
        #expect(try b.conflicts.map(\.remoteValue) == (isChosen ? ["#123456"] : []))
    }

    @Test(
        "has its values under the key that came first, and lists what that key had already",
        arguments: [false, true], [false, true])
    func propertyKeys(isThere: Bool, isLost: Bool) async throws {
        let event = try await devices.shareEvent()
        try await a.engine.create(makePropertyDefinition(eventTypeId: a.coffee.id, key: "Size", label: "Size"))
        if isThere { try await a.edit(event.id) { $0.properties["Size"] = .number(3) } }
        try await b.engine.create(makePropertyDefinition(eventTypeId: a.coffee.id, key: "size", label: "size"))
        try await b.edit(event.id) { $0.properties["size"] = .number(4) }
        let other = makeEvent(eventTypeId: a.coffee.id, properties: ["size": .number(5), "mood": .text("well")])
        try await b.engine.create(other)
        // The values of the other key were sent before the key was known to be the same.
        if isLost { await b.loseNext() }
        for device in [a, b] { await device.sync() }
        await devices.syncUntilQuiet()
        try expectAgreement()
        for device in [a, b] {
            #expect(try device.event(event.id)?.properties == ["Size": .number(4)])
            #expect(try device.event(other.id)?.properties == ["Size": .number(5), "mood": .text("well")])
        }
        #expect(try a.conflicts.isEmpty && b.conflicts.map(\.key) == (isThere ? ["Size"] : []))
    }

    @Test("can be renamed to another spelling of its own name, and both devices have that")
    func respelt() async throws {
        let type = makeEventType(name: "cafe\u{301} au lait")
        try await a.engine.create(type)
        await devices.syncUntilQuiet()
        try await b.edit(EventType.self, type.id) { $0.name = "CAFÉ AU LAIT" }
        await devices.syncUntilQuiet()
        try expectAgreement()
        #expect(try a.find(EventType.self, type.id)?.name == "CAFÉ AU LAIT")
    }

    @Test("the same import on two devices is no conflict, whatever comes first", arguments: [false, true])
    func imported(isKnown: Bool) async throws {
        if isKnown { for device in [a, b] { await device.sync() } }
        let ids = (0..<20).map { _ in freshId() }
        for device in [a, b] {
            let type = makeEventType(name: device.coffee.id == a.coffee.id ? "Coffee" : "coffee")
            try await device.engine.create(type)
            try await device.engine.create(makePropertyDefinition(eventTypeId: type.id, key: "size"))
            for (number, id) in ids.enumerated() {
                try await device.engine.create(makeEvent(id: id, eventTypeId: type.id, notes: "\(number)"))
            }
        }
        // One of them was changed here before the first sync.
        try await b.edit(ids[0]) { $0.notes = "ours" }
        await devices.syncUntilQuiet()
        try expectAgreement()
        #expect(try a.conflicts.isEmpty && b.conflicts.map(\.field) == ["notes"])
        #expect(try b.all(Event.self).count == 20 && a.event(ids[0])?.notes == "ours")
        // What turns out to be as the server has it is not sent.
        let type = try #require(try a.all(EventType.self).first)
        #expect(
            !devices.server.sent.contains { $0.operation == .update && $0.data?["event_type_id"] == .string(type.id) })
    }

    @Test("three devices end with one type and all events")
    func three() async throws {
        let c = Device(devices.server, wallClock: a.wallClock, seed: 3)
        for (device, name) in [(a, "tea"), (b, "Tea"), (c, "ＴＥＡ")] {
            let type = makeEventType(name: name)
            try await device.engine.create(type)
            try await device.engine.create(makeEvent(eventTypeId: type.id, notes: name))
        }
        for _ in 0..<3 { for device in [c, b, a] { await device.sync() } }
        try expectAgreement(of: [c])
        #expect(try a.all(Event.self).count == 3)
        for device in [a, b, c] { #expect(try device.conflicts.isEmpty) }
    }

    @Test("a conflict that was listed before names the record that stands for both")
    func listedBefore() async throws {
        try await a.engine.create(a.coffee)
        await a.sync()
        await b.sync()
        let mine = makeEventType(name: "COFFEE")
        try await b.engine.create(mine)
        let version = try WireCoding.fields(of: makeEvent(id: testId(9), eventTypeId: mine.id))
        let listed = SyncConflict(
            id: "c", kind: .deletedHereEditedElsewhere, entityType: .event, entityId: testId(9), localValue: .null,
            remoteValue: .object(version), detectedAt: b.wallClock.now())
        try b.tamper { try $0.putDocument(listed) }
        await b.sync()
        #expect(try b.conflicts.map { $0.remoteValue["event_type_id"] } == [.string(a.coffee.id)])
        try await b.engine.restoreConflict(id: "c")
        await devices.syncUntilQuiet()
        try expectAgreement()
        #expect(try a.event(testId(9))?.eventTypeId == a.coffee.id)
    }
}
