import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// The server has failed on a create that may have arrived, and an edit has been joined with it in a create of its own.
@Suite("A create in the place of one that may have arrived")
struct ReplacedCreateTests {
    private let device = Device()

    @Test(
        "says only what was edited, where the former create had arrived",
        arguments: [false, true])
    func arrivedBefore(isRefused: Bool) async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        for number in 0..<9 { try device.server.create(makeEventType(name: "\(number)")) }
        await device.loseNext()
        await device.sync()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        try await device.edit(event.id) { $0.isAllDay = true }
        let id = event.id
        await device.network.beforeEachCall { call in
            let sent = call.exchange?.mutations.first { $0.entityId == id }?.data?.objectValue
            if let sent, sent["is_all_day"] != true { throw refusal(503) }
        }
        if isRefused { device.server.reject([id]) }
        await device.sync()
        await device.sync()
        if isRefused {
            device.server.reject([])
            try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
            await device.sync()
        }
        let there = try #require(try device.server.event(id))
        #expect(there.notes == "theirs" && there.isAllDay)
        #expect(try device.event(id) == there && device.open().isEmpty && device.conflicts.isEmpty)
    }

    /// Has a create on which the server fails, and an edit in its place, to the whole day, that arrives without an answer.
    private func sendInItsPlace(_ event: Event, _ edit: @Sendable (inout Event) -> Void) async throws {
        let (device, id) = (device, event.id)
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        await device.fail([id], with: refusal(503))
        await device.sync()
        try await device.edit(id, edit)
        await device.network.beforeEachCall { call in
            let sent = call.exchange?.mutations.first { $0.entityId == id }?.data?.objectValue
            guard let sent else { return }
            if sent["is_all_day"] != true { throw refusal(503) }
            device.server.script([.loseAnswer(.connection("reset"))])
        }
        await device.sync()
        await device.network.beforeEachCall(nil)
        device.server.endScript()
        #expect(try device.server.event(id) != nil && device.mutation(of: id)?.state == .sending)
    }

    @Test("takes nothing back that others have changed since, where it is received before its answer")
    func receivedFirst() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        try await sendInItsPlace(event) { $0.isAllDay = true }
        try device.server.change(.event, event.id, ["is_all_day": false])
        #expect(await device.engine.forceFullResync().failure == nil)
        await device.sync()
        #expect(try device.server.event(event.id)?.isAllDay == false)
        #expect(try device.event(event.id)?.isAllDay == false && device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test(
        "lists what goes over the version that was received before its answer",
        arguments: [false, true], [false, true])
    func writtenOverUnanswered(isReplaced: Bool, isDeletion: Bool) async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        if isReplaced {
            try await sendInItsPlace(event) { $0.isAllDay = true }
        } else {
            await device.loseNext()
            await device.sync()
        }
        await device.fail([event.id], with: refusal(503))
        try device.server.change(.event, event.id, ["notes": "theirs"])
        await device.engine.forceFullResync()
        #expect(try device.event(event.id)?.notes == "first" && device.conflicts.isEmpty)
        #expect(try device.mutation(of: event.id)?.operation == .create)
        if isDeletion {
            try await device.engine.delete(Event.self, id: event.id)
        } else {
            try await device.edit(event.id) { $0.notes = "second" }
        }
        await device.heal()
        await device.sync()
        await device.sync()
        let conflict = try #require(try device.conflicts.first)
        #expect(try device.conflicts.count == 1 && device.open().isEmpty)
        #expect(try device.server.event(event.id)?.notes == (isDeletion ? nil : "second"))
        if isDeletion {
            #expect(conflict.kind == .deletedHereEditedElsewhere)
        } else {
            #expect(conflict.remoteValue == "theirs")
        }
    }

    @Test("lists what a deletion takes along, where nothing has answered it")
    func deletedUnanswered() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        await device.loseNext()
        await device.sync()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        await device.fail([event.id])
        for _ in 0..<6 {
            try await device.engine.create(makeEventType(name: freshId()))
            await device.sync()
        }
        #expect(try device.parkReason(of: event.id)?.code == .blamed && device.conflicts.isEmpty)
        try await device.engine.delete(Event.self, id: event.id)
        await device.heal()
        await device.sync()
        #expect(try device.server.event(event.id) == nil && device.open().isEmpty)
        #expect(try device.conflicts.map(\.kind) == [.deletedHereEditedElsewhere])
    }

    @Test(
        "leaves out what it clears, though the record is received before its answer", arguments: [1, 2])
    func clearedUnanswered(times: Int) async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        await device.loseNext()
        await device.sync()
        await device.fail([event.id], with: refusal(503))
        try await device.edit(event.id) { $0.notes = nil }
        await device.sync()
        for _ in 0..<times {
            for notes in ["theirs", "first"] { try device.server.change(.event, event.id, ["notes": .string(notes)]) }
            await device.engine.forceFullResync()
        }
        await device.heal()
        await device.sync()
        #expect(try device.server.event(event.id) != nil && device.server.event(event.id)?.notes == nil)
        #expect(try device.event(event.id)?.notes == nil && device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("lists what a later edit goes over, where the former create was received before its answer")
    func editedAfterReceiving() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "first")
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        await device.loseNext()
        await device.sync()
        await device.fail([event.id], with: refusal(503))
        try await device.edit(event.id) { $0.isAllDay = true }
        await device.sync()
        try device.server.change(.event, event.id, ["notes": "theirs"])
        #expect(try device.mutation(of: event.id)?.operation == .create)
        await device.engine.forceFullResync()
        try await device.edit(event.id) { $0.notes = "second" }
        await device.heal()
        await device.sync()
        await device.sync()
        let there = try #require(try device.server.event(event.id))
        #expect(try there.notes == "second" && there.isAllDay && device.event(event.id) == there)
        #expect(try device.open().isEmpty && device.conflicts.map(\.remoteValue) == ["theirs"])
    }

    @Test("stands where it goes back to what the first create said and the second has arrived")
    func lastWord() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "a")
        try await sendInItsPlace(event) { ($0.notes, $0.isAllDay) = ("b", true) }
        let (device, id) = (device, event.id)
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        try await device.edit(id) { $0.notes = "a" }
        await device.network.beforeEachCall { call in
            let sent = call.exchange?.mutations.first { $0.entityId == id }?.data?.objectValue
            if sent?["notes"] == "b" { throw refusal(503) }
        }
        await device.sync()
        await device.heal()
        await device.sync()
        #expect(try device.server.event(id)?.notes == "a" && device.server.event(id)?.isAllDay == true)
        #expect(try device.event(id)?.notes == "a" && device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("is whole for an import: another device can have the record with other values")
    func imported() async throws {
        _ = try await device.syncedCoffee()
        let (event, device) = (makeEvent(eventTypeId: device.coffee.id, notes: "mine"), device)
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        try await device.engine.perform { try $0.adopt(event) }
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        await device.fail([event.id], with: refusal(503))
        try await device.edit(event.id) { $0.isAllDay = true }
        await device.sync()
        var theirs = event
        theirs.notes = "theirs"
        try device.server.create(theirs)
        await device.heal()
        await device.sync()
        let there = try #require(try device.server.event(event.id))
        #expect(there.notes == "mine" && there.isAllDay)
        #expect(try device.conflicts.map(\.remoteValue) == ["theirs"])
    }

    @Test(
        "is whole for a record that was made again: another device can have made it again with other values",
        arguments: [false, true])
    func madeAgain(isReceivedFirst: Bool) async throws {
        let (event, device) = (try await device.syncedCoffee(), device)
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        try await device.edit(event.id) { $0.notes = "mine" }
        try device.server.delete(.event, event.id)
        await device.sync()
        try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
        await device.loseNext(.loseRequest(.connection("reset")))
        await device.sync()
        await device.fail([event.id], with: refusal(503))
        var theirs = event
        theirs.notes = "theirs"
        if isReceivedFirst {
            try device.server.create(theirs)
            await device.engine.forceFullResync()
        }
        try await device.edit(event.id) { $0.isAllDay = true }
        await device.sync()
        if !isReceivedFirst { try device.server.create(theirs) }
        await device.heal()
        await device.sync()
        let there = try #require(try device.server.event(event.id))
        #expect(there.notes == "mine" && there.isAllDay)
        #expect(try device.conflicts.map(\.remoteValue) == ["theirs"])
    }

    @Test("clears what it lacks, where the former create of a record that was made again had arrived")
    func clearedAgain() async throws {
        let (event, device) = (try await device.syncedCoffee(), device)
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        try await device.edit(event.id) { $0.notes = "mine" }
        try device.server.delete(.event, event.id)
        await device.sync()
        try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
        await device.loseNext()
        await device.sync()
        // With another value the version does not show just what was sent.
        try device.server.change(.event, event.id, ["location_name": "theirs"])
        await device.fail([event.id], with: refusal(503))
        try await device.edit(event.id) { $0.notes = nil }
        await device.sync()
        await device.heal()
        await device.sync()
        await device.sync()
        let there = try #require(try device.server.event(event.id))
        #expect(try there.notes == nil && there.locationName == "theirs" && device.event(event.id) == there)
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("leaves what it has replaced in the ledger until it is settled itself")
    func retention() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "bad")
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        await device.fail([event.id], with: refusal(503))
        await device.sync()
        try await device.edit(event.id) { $0.notes = "good" }
        await device.sync()
        let replaced = try device.mutations([.merged]).filter { $0.lastError != nil }.map(\.id)
        #expect(!replaced.isEmpty)
        for _ in 0..<2 {
            device.wallClock.advance(bySeconds: 8 * 86_400)
            await device.sync()
            #expect(try Set(device.mutations([.merged]).map(\.id)).isSuperset(of: replaced))
        }
        await device.heal()
        for _ in 0..<3 {
            await device.sync()
            device.wallClock.advance(bySeconds: 8 * 86_400)
        }
        #expect(try device.mutations([.merged]).isEmpty && device.server.event(event.id)?.notes == "good")
    }

    @Test(
        "may have arrived too: the record can be there, so a deletion has to follow")
    func mayBeMade() {
        var create = OpenOperation(.create(["id": "e", "notes": "bad"]), key: "c", position: 1, isInFlight: true)
        create.isParked = true
        var record = OpenRecord(
            shape: RecordShape(fields: ["id", "notes"]), base: .nothing, operations: [create])
        let edit = OpenOperation(.update(FieldPatch([FieldPath("notes"): "good"])), key: "u", position: 2)
        #expect(record.supersede(["c"], by: edit) == .replaced(["c"]))
        #expect(record.operations.map(\.key) == ["u"] && record.operations[0].isInFlight)
        #expect(record.append(OpenOperation(.delete, key: "d", position: 3)) == .added)
        #expect(record.operations.map(\.key) == ["u", "d"])
    }
}
