import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// An ordinary edit of a record of which something was refused takes the place of what was refused.
@Suite("An edit of what was refused")
struct SupersedeTests {
    private let device = Device()

    private func reject(_ id: String) {
        device.server.reject([id], errors: [FieldError(field: "notes", message: "is bad", code: "bad")])
    }

    /// What was sent of a record after a moment.
    private func sent(_ id: String, after count: Int) -> [SyncMutation] {
        device.server.sent.dropFirst(count).filter { $0.entityId == id }
    }

    @Test("sends a refused record again, with the edit", arguments: [false, true])
    func corrected(isUpdate: Bool) async throws {
        let event = isUpdate ? try await device.syncedCoffee(notes: "first") : try await device.logCoffee(notes: "bad")
        if isUpdate { try await device.edit(event.id) { $0.notes = "bad" } }
        reject(event.id)
        await device.sync()
        let refused = try #require(try device.mutations([.parked]).first)
        device.server.reject([])
        let before = device.server.sent.count
        try await device.edit(event.id) { $0.notes = "good" }
        // The change goes on in its row, in its place, under a key of its own.
        let open = try device.open()
        #expect(open.map(\.id) == [refused.id] && open.map(\.state) == [.queued] && open.map(\.attempts) == [0])
        #expect(open.first?.clientRequestId != refused.clientRequestId)
        #expect(try device.status(event.id) == .pending)
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(try device.server.event(event.id)?.notes == "good")
        #expect(sent(event.id, after: before).map(\.operation) == [isUpdate ? .update : .create])
        #expect(try await device.engine.outcome(of: refused.id) == .accepted)
    }

    @Test("of another field sends it once more, and what is refused again waits again")
    func otherField() async throws {
        let event = try await device.logCoffee(notes: "bad")
        reject(event.id)
        await device.sync()
        try await device.edit(event.id) { $0.locationName = "here" }
        #expect(await device.sync().parked == 1)
        #expect(try device.parkReason(of: event.id)?.fields.map(\.field) == ["notes"])
        #expect(device.server.sent.count { $0.entityId == event.id } == 2)
    }

    @Test("goes with the edits that wait behind what was refused, and the ledger follows them")
    func waitingEdits() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        reject(event.id)
        try await device.edit(event.id) { $0.notes = "bad" }
        let device = device
        await device.whileSending { try await device.edit(event.id) { $0.locationName = "here" } }
        await device.sync()
        #expect(try device.mutations([.parked]).count == 2)
        let waiting = try #require(try device.mutations([.parked]).last)
        device.server.reject([])
        let before = device.server.sent.count
        try await device.edit(event.id) { $0.notes = "good" }
        #expect(await device.sync().pending == 0)
        #expect(sent(event.id, after: before).map(\.data) == [["notes": "good", "location_name": "here"]])
        #expect(try await device.engine.outcome(of: waiting.id) == .accepted)
    }

    @Test(
        "that was made while that was on its way goes in the same sync, also where the server names no field",
        arguments: [true, false])
    func correctedMeanwhile(namesField: Bool) async throws {
        let event = try await device.syncedCoffee(notes: "first")
        if namesField { reject(event.id) } else { device.server.reject([event.id]) }
        try await device.edit(event.id) { $0.notes = "bad" }
        let (device, sent) = (device, device.server.sent.count)
        await device.whileSending {
            try await device.edit(event.id) { $0.notes = "good" }
            await device.whileSending { device.server.reject([]) }
        }
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(try device.server.event(event.id)?.notes == "good")
        #expect(self.sent(event.id, after: sent).map(\.data) == [["notes": "bad"], ["notes": "good"]])
    }

    @Test("that gives a record another parent while its own is refused goes in the same sync, after that parent")
    func anotherParent() async throws {
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        let event = try await device.engine.create(makeEvent(eventTypeId: tea.id, notes: "kept"))
        let child = try #require(try device.mutation(of: event.id))
        device.server.reject([tea.id], errors: [FieldError(field: "name", message: "is bad", code: "bad")])
        let (device, water) = (device, makeEventType(name: "water"))
        await device.whileSending {
            try await device.engine.create(water)
            try await device.edit(event.id) { $0.eventTypeId = water.id }
        }
        let report = await device.sync()
        #expect(report.pending == 0 && report.parked == 1)
        #expect(try device.server.event(event.id)?.eventTypeId == water.id)
        #expect(try device.server.event(event.id)?.notes == "kept")
        #expect(try await device.engine.outcome(of: child.id) == .accepted)
    }

    @Test("is part of a retry too: the wrong value is not sent again")
    func retry() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        reject(event.id)
        try await device.edit(event.id) { $0.notes = "bad" }
        let device = device
        await device.whileSending { try await device.edit(event.id) { $0.notes = "good" } }
        await device.sync()
        device.server.reject([])
        let before = device.server.sent.count
        try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
        #expect(await device.sync().pending == 0)
        #expect(sent(event.id, after: before).map(\.data) == [["notes": "good"]])
    }

    @Test("is none of a refused deletion: a new record behind it goes after it")
    func retryOfDeletion() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        device.server.reject([event.id])
        try await device.engine.delete(Event.self, id: event.id)
        let device = device
        await device.whileSending { try await device.engine.create(event) }
        await device.sync()
        #expect(try device.mutations([.parked]).map(\.operation) == [.delete, .create])
        device.server.reject([])
        try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
        #expect(await device.sync().parked == 0)
        #expect(try device.server.event(event.id) == event && device.open().isEmpty)
    }

    @Test(
        "on which the server failed is sent with the right value alone, and lists no conflict with its own",
        arguments: [false, true], [false, true])
    func blamed(isUpdate: Bool, hasArrived: Bool) async throws {
        let event = isUpdate ? try await device.syncedCoffee(notes: "first") : try await device.logCoffee(notes: "bad")
        if isUpdate { try await device.edit(event.id) { $0.notes = "bad" } }
        if hasArrived {
            await device.loseNext()
            await device.sync()
        }
        device.server.forgetKeys()
        await device.fail([event.id])
        for _ in 0..<5 {
            try await device.engine.create(makeEventType(name: freshId()))
            await device.sync()
        }
        // What has arrived comes with the smallest request, which looks for the culprit.
        #expect(try device.parkReason(of: event.id)?.code == (hasArrived ? nil : .blamed))
        await device.heal()
        let before = device.server.sent.count
        try await device.edit(event.id) { $0.notes = "good" }
        #expect(await device.sync().pending == 0)
        #expect(try device.server.event(event.id)?.notes == "good" && device.conflicts.isEmpty && device.open().isEmpty)
        #expect(!sent(event.id, after: before).contains { $0.data?.objectValue?["notes"] == "bad" })
    }

    @Test("on which the server fails goes with it as one, as soon as the server is known to fail on that")
    func blamedMeanwhile() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "bad" }
        let (device, id) = (device, event.id)
        await device.network.beforeEachCall { call in
            let sent = call.exchange?.mutations ?? []
            if sent.contains(where: { $0.data?.objectValue?["notes"] == "bad" }) { throw refusal(500) }
        }
        for number in 0..<5 {
            try await device.engine.create(makeEventType(name: freshId()))
            if number == 2 { try await device.edit(id) { $0.notes = "good" } }
            await device.sync()
        }
        #expect(await device.sync().parked == 0)
        #expect(try device.server.event(id)?.notes == "good" && device.open().isEmpty)
    }

    @Test("on which the server fails waits, where that may have arrived and says what the edit does not say")
    func otherValueMeanwhile() async throws {
        let event = try await device.syncedCoffee(notes: "first")
        try await device.edit(event.id) { $0.notes = "second" }
        for _ in 0..<9 { try device.server.create(makeEventType(name: freshId())) }
        await device.loseNext()
        await device.sync()
        try device.server.change(.event, event.id, ["notes": "first"])
        try await device.edit(event.id) { $0.isAllDay = true }
        await device.fail([event.id], with: refusal(503))
        await device.sync()
        await device.heal()
        await device.sync()
        let there = try #require(try device.server.event(event.id))
        #expect(try there.notes == "first" && there.isAllDay && device.event(event.id) == there)
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("on which the server failed lists nothing that was said here, where its type is deleted on the way")
    func blamedAndHidden() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee(notes: "bad")
        let (device, id) = (device, event.id)
        for number in 0..<9 { try device.server.create(makeEventType(name: "\(number)")) }
        await device.loseNext()
        await device.sync()
        try await device.edit(id) { $0.notes = "good" }
        await device.network.beforeEachCall { call in
            let notes = call.exchange?.mutations.first { $0.entityId == id }?.data?.objectValue?["notes"]
            if notes == "bad" { throw refusal(503) }
            if notes == "good", try !device.all(Event.self).isEmpty {
                try await device.engine.delete(EventType.self, id: device.coffee.id)
            }
        }
        await device.sync()
        await device.sync()
        #expect(try device.open().isEmpty && device.all(Event.self).isEmpty && device.server.all(Event.self).isEmpty)
        #expect(try device.conflicts.isEmpty)
    }

    @Test("that names a parent which is made later goes behind that")
    func laterParent() async throws {
        _ = try await device.syncedCoffee()
        let event = try await device.logCoffee()
        reject(event.id)
        await device.sync()
        device.server.reject([])
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.edit(event.id) { $0.eventTypeId = tea.id }
        let before = device.server.requests.count
        #expect(await device.sync().pending == 0)
        #expect(device.server.requests.count == before + 1)
        #expect(try device.server.event(event.id)?.eventTypeId == tea.id)
    }

    @Test("leaves what waits for a person's decision about the record, or was cleared, as it is")
    func decisions() async throws {
        let (event, other) = (try await device.syncedCoffee(), try await device.syncedCoffee())
        try await device.edit(event.id) { $0.notes = "mine" }
        try device.server.delete(.event, event.id)
        await device.sync()
        #expect(try device.parkReason(of: event.id)?.code == .deletedElsewhere)
        try await device.edit(event.id) { $0.notes = "more" }
        #expect(try device.parkReason(of: event.id)?.code == .deletedElsewhere)
        try await device.edit(other.id) { $0.notes = "mine" }
        try await device.engine.clearPendingMutations()
        try await device.edit(other.id) { $0.notes = "more" }
        #expect(try device.parkReason(of: other.id)?.code == .cleared)
    }
}
