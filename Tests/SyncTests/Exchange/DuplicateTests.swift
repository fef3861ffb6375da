import Synchronization
import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("The same thing made on two devices")
struct DuplicateTests {
    private let devices = TwoDevices()
    private var a: Device { devices.a }
    private var b: Device { devices.b }

    private func expectOneType() throws {
        let types = devices.server.records(of: .eventType)
        #expect(types.count == 1)
        for device in [a, b] {
            #expect(try device.all(EventType.self) == devices.server.all(EventType.self))
            #expect(try Set(device.all(Event.self)) == Set(devices.server.all(Event.self)))
            #expect(try device.open().isEmpty)
        }
    }

    @Test("becomes one, and what belongs to it moves over")
    func sameName() async throws {
        let first = try await a.logCoffee(notes: "from a")
        let second = try await b.logCoffee(notes: "from b")
        await devices.syncUntilQuiet()
        try expectOneType()
        #expect(try Set(a.all(Event.self).map(\.id)) == [first.id, second.id])
        #expect(try a.conflicts.isEmpty && b.conflicts.isEmpty)
    }

    @Test("lists what was made here as what lost, which can be restored")
    func unlike() async throws {
        try await a.engine.create(a.coffee)
        await a.sync()
        var ours = b.coffee
        ours.icon = "leaf"
        try await b.engine.create(ours)
        await devices.syncUntilQuiet()
        try expectOneType()
        let conflict = try #require(try b.conflicts.first)
        #expect(try b.conflicts.count == 1 && conflict.field == "icon" && conflict.losingSide == .here)
        #expect(conflict.localValue == .string(a.coffee.icon) && conflict.remoteValue == "leaf")
        try await b.engine.restoreConflict(id: conflict.id)
        await devices.syncUntilQuiet()
        #expect(try a.find(EventType.self, a.coffee.id)?.icon == "leaf")
    }

    @Test("takes the edits over that were made while its creation was under way")
    func editedMeanwhile() async throws {
        await b.sync()
        try devices.server.create(a.coffee)
        let event = try await b.logCoffee()
        let b = b
        await b.whileSending { try await b.edit(EventType.self, b.coffee.id) { $0.icon = "cup" } }
        await devices.syncUntilQuiet()
        try expectOneType()
        #expect(try devices.server.find(EventType.self, a.coffee.id)?.icon == "cup")
        #expect(try devices.server.event(event.id)?.eventTypeId == a.coffee.id)
    }

    @Test("gives what moves over keys of its own: a copy of the store may send it as it was")
    func keys() async throws {
        await b.sync()
        try devices.server.create(a.coffee)
        let event = try await b.logCoffee()
        let b = b
        let former = Mutex<[String]>([])
        await b.whileSending {
            try await b.edit(EventType.self, b.coffee.id) { $0.icon = "cup" }
            let keys = try b.open().map(\.clientRequestId)
            former.withLock { $0 = keys }
        }
        await devices.syncUntilQuiet()
        try expectOneType()
        let moved = devices.server.sent.filter {
            $0.entityId == a.coffee.id || $0.data?.objectValue?["event_type_id"] == .string(a.coffee.id)
        }
        #expect(moved.map(\.entityId) == [event.id, a.coffee.id] || moved.map(\.entityId) == [a.coffee.id, event.id])
        #expect(former.withLock { Set($0).count == 3 && $0.allSatisfy { !moved.map(\.key).contains($0) } })
    }

    @Test("deleted here before its creation was answered leaves the other's record alone")
    func deletedDuplicate() async throws {
        await b.sync()
        try devices.server.create(a.coffee)
        try await b.engine.create(b.coffee)
        await b.loseNext(.loseRequest(.connection("reset")))
        await b.sync()
        try await b.engine.delete(EventType.self, id: b.coffee.id)
        for _ in 0..<2 { await b.sync() }
        #expect(try devices.server.all(EventType.self) == [a.coffee])
        #expect(try b.open().isEmpty && b.all(EventType.self) == [a.coffee])
    }

    @Test("and brought back with its type before its creation was answered is there in the end")
    func broughtBackWithType() async throws {
        let type = try #require(try await b.find(EventType.self, devices.shareEvent().eventTypeId))
        let sample = makeEvent(eventTypeId: type.id, sourceType: .healthKit, healthKitSampleId: "sample-1")
        try devices.server.create(sample)
        var ours = sample
        ours.id = freshId()
        try await b.engine.create(ours)
        try await b.engine.delete(EventType.self, id: type.id)
        await b.loseNext(.loseRequest(.connection("reset")))
        await b.sync()
        try await b.engine.create(type)
        await devices.syncUntilQuiet()
        #expect(try b.open().isEmpty && b.all(EventType.self) == [type])
        #expect(try devices.server.all(Event.self).contains { $0.healthKitSampleId == "sample-1" })
        #expect(try Set(b.all(Event.self)) == Set(devices.server.all(Event.self)))
    }

    @Test("and renamed here since is another thing, whatever goes first")
    func renamedApart() async throws {
        try await b.engine.create(b.coffee)
        try await b.engine.clearPendingMutations()
        try await a.engine.create(a.coffee)
        await devices.syncUntilQuiet()
        try await b.edit(EventType.self, a.coffee.id) { $0.name = "office coffee" }
        let waiting = try #require(try b.mutation(of: b.coffee.id))
        try await b.engine.retryMutation(id: waiting.id)
        await devices.syncUntilQuiet()
        for device in [a, b] {
            let names = try Dictionary(device.all(EventType.self).map { ($0.id, $0.name) }) { $1 }
            #expect(names == [a.coffee.id: "office coffee", b.coffee.id: "coffee"])
            #expect(try device.open().isEmpty)
        }
    }

    @Test("and deleted here goes first, and the new one stays")
    func editedAndDeleted() async throws {
        try await a.engine.create(a.coffee)
        await devices.syncUntilQuiet()
        let made = try await b.engine.create(makeEventType(name: a.coffee.name))
        try await b.edit(EventType.self, a.coffee.id) { $0.icon = "leaf" }
        await b.loseNext(.loseRequest(.connection("reset")))
        await b.sync()
        try await b.engine.delete(EventType.self, id: a.coffee.id)
        for _ in 0..<2 { await b.sync() }
        #expect(try b.open().isEmpty && b.all(EventType.self) == devices.server.all(EventType.self))
        #expect(try b.all(EventType.self).map(\.id) == [made.id])
    }

    @Test("is recognised by a sample's id too, and one that was deleted and logged again is there")
    func samples() async throws {
        let typeId = try await devices.shareEvent().eventTypeId
        func log(on device: Device) async throws -> Event {
            try await device.engine.create(
                makeEvent(eventTypeId: typeId, sourceType: .healthKit, healthKitSampleId: "sample-1"))
        }
        let first = try await log(on: a)
        _ = try await log(on: b)
        await devices.syncUntilQuiet()
        try expectOneType()
        #expect(devices.server.records(of: .event).count == 2)
        try await a.engine.delete(Event.self, id: first.id)
        let again = try await log(on: a)
        await devices.syncUntilQuiet()
        try expectOneType()
        #expect(try b.event(first.id) == nil && b.event(again.id) == again)
    }

    @Test(
        "as one whose name was given up here before, and changed elsewhere meanwhile, does not become that",
        arguments: [false, true])
    func givenUpBefore(isRenamed: Bool) async throws {
        let old = try await devices.shareEvent()
        if isRenamed {
            try await a.edit(EventType.self, a.coffee.id) { $0.name = "mocha" }
        } else {
            try await a.engine.delete(EventType.self, id: a.coffee.id)
        }
        let anew = try await a.engine.create(makeEventType(name: a.coffee.name))
        let event = try await a.engine.create(makeEvent(eventTypeId: anew.id, notes: "new"))
        try await b.edit(EventType.self, a.coffee.id) { $0.icon = "leaf" }
        let second = try await b.engine.create(makeEvent(eventTypeId: old.eventTypeId, notes: "second"))
        await b.sync()
        await devices.syncUntilQuiet()
        for device in [a, b] {
            let names = try Dictionary(device.all(EventType.self).map { ($0.id, $0.name) }) { $1 }
            #expect(names == (isRenamed ? [a.coffee.id: "mocha", anew.id: "coffee"] : [anew.id: "coffee"]))
            #expect(try device.all(EventType.self).first { $0.id == a.coffee.id }?.icon == (isRenamed ? "leaf" : nil))
            let kept = isRenamed ? [old.id, second.id, event.id] : [event.id]
            #expect(try Set(device.all(Event.self).map(\.id)) == Set(kept) && device.open().isEmpty)
            #expect(try device.event(event.id)?.eventTypeId == anew.id)
        }
    }
}
