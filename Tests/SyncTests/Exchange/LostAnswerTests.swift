import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Nobody knows whether a request without an answer was carried out, and servers keep keys for a bounded time.
@Suite("A change whose answer was lost")
struct LostAnswerTests {
    private let device = Device()
    private var server: ExchangeServer { device.server }

    enum Change: CaseIterable { case create, update, delete }

    private static let losses: [ExchangeServer.Step] = [
        .loseRequest(.connection("reset")), .loseAnswer(.connection("reset")), .loseRequest(.timeout),
        .loseAnswer(.timeout), .loseRequest(refusal(503)), .loseAnswer(refusal(500)),
        .loseRequest(.rateLimited(retryAfter: nil)),
    ]

    /// Makes a change whose first request is lost, one way or the other. Answers the record that should result.
    private func lose(_ change: Change, _ step: ExchangeServer.Step) async throws -> (id: String, event: Event?) {
        var event = try await device.syncedCoffee(notes: "base")
        switch change {
        case .create: event = try await device.logCoffee(notes: "lost")
        case .update:
            event.notes = "lost"
            try await device.engine.update(event)
        case .delete: try await device.engine.delete(Event.self, id: event.id)
        }
        await device.loseNext(step)
        await device.sync()
        return (event.id, change == .delete ? nil : event)
    }

    @Test(
        "takes effect once, under one key, whether the server knows that key or has forgotten it",
        arguments: Change.allCases, losses.indices)
    func once(_ change: Change, loss: Int) async throws {
        for forgets in [false, true] {
            let (id, event) = try await lose(change, Self.losses[loss])
            if forgets { server.forgetKeys() }
            let report = await device.sync()
            #expect(report.failure == nil && report.pending == 0 && report.parked == 0 && report.conflicts == 0)
            #expect(try server.event(id) == event && device.event(id) == event)
            let keys = server.sent.filter { $0.entityId == id && $0.operation.rawValue == "\(change)" }.map(\.key)
            #expect(keys.count <= 3 && Set(keys).count == 1)
        }
        // The type, two events that were the base of each, and the two changes.
        #expect(server.head == 5)
    }

    @Test("undoes nothing that others have done since", arguments: Change.allCases, [false, true])
    func changedElsewhere(_ change: Change, forgets: Bool) async throws {
        let (id, event) = try await lose(change, .loseAnswer(.connection("reset")))
        if change == .delete {
            try server.create(makeEvent(id: id, eventTypeId: device.coffee.id, notes: "again"))
        } else {
            try server.change(.event, id, ["location_name": "there"])
        }
        if forgets { server.forgetKeys() }
        #expect(await device.sync().pending == 0)
        let there = try #require(try server.event(id))
        #expect(there.notes == (event == nil ? "again" : "lost"))
        #expect(there.locationName == (event == nil ? nil : "there"))
        #expect(try device.event(id) == there && device.conflicts.isEmpty)
    }

    @Test("brings back nothing that others have deleted since", arguments: [Change.create, .update], [false, true])
    func deletedElsewhere(_ change: Change, forgets: Bool) async throws {
        let (id, _) = try await lose(change, .loseAnswer(.connection("reset")))
        try server.delete(.event, id)
        if forgets { server.forgetKeys() }
        #expect(await device.sync().pending == 0)
        #expect(try server.event(id) == nil)
        // Where nobody can tell that it had arrived, it is kept for the person.
        #expect(try device.event(id)?.notes == (forgets ? "lost" : nil))
        #expect(try device.mutations([.parked]).count == (forgets ? 1 : 0))
    }

    @Test("is no other side to the edits after it", arguments: losses.indices)
    func ownEdits(loss: Int) async throws {
        let event = try await device.syncedCoffee(notes: "base")
        await device.loseNext(Self.losses[loss])
        for notes in ["A", "B", "C"] {
            try await device.edit(event.id) { $0.notes = notes }
            await device.sync()
        }
        await device.sync()
        #expect(try server.event(event.id)?.notes == "C" && device.event(event.id)?.notes == "C")
        #expect(try device.conflicts.isEmpty && device.open().isEmpty)
    }

    @Test("lists what it took from another device, once, though it was answered late", arguments: [false, true])
    func otherSide(arrived: Bool) async throws {
        let event = try await device.syncedCoffee(notes: "base")
        try server.change(.event, event.id, ["notes": "X"])
        await device.loseNext(arrived ? .loseAnswer(.connection("reset")) : .loseRequest(.connection("reset")))
        for notes in ["A", "B"] {
            try await device.edit(event.id) { $0.notes = notes }
            await device.sync()
        }
        await device.sync()
        #expect(try server.event(event.id)?.notes == "B" && device.event(event.id)?.notes == "B")
        #expect(try device.conflicts.map(\.remoteValue) == ["X"])
    }

    @Test("and a deletion after it leave nothing", arguments: losses.indices)
    func createAndDelete(loss: Int) async throws {
        await device.sync()
        try await device.engine.create(device.coffee)
        await device.loseNext(Self.losses[loss])
        await device.sync()
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        for _ in 0..<2 { await device.sync() }
        #expect(try server.find(EventType.self, device.coffee.id) == nil)
        #expect(try device.find(EventType.self, device.coffee.id) == nil)
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }
}
