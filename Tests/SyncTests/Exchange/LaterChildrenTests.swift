import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A server that has a type again which another device had deleted.
@Suite("The deletion of a type that a server has lost")
struct LaterChildrenTests {
    private let devices = TwoDevices()
    private var server: ExchangeServer { devices.server }
    private var a: Device { devices.a }

    private let tea = makeEventType(id: testId(42), name: "tea")
    private let cocoa = makeEventType(id: testId(44), name: "cocoa")

    @Test(
        "takes along nothing that was logged beneath the type, or moved to it, after the deletion",
        arguments: [false, true], [false, true])
    func laterChildren(isMoved: Bool, isDeletionDropped: Bool) async throws {
        for type in [tea, cocoa] { try await a.engine.create(type) }
        let (event, other) = (try await devices.shareEvent(), try await a.syncedCoffee())
        let backup = server.backup()
        try await devices.b.engine.delete(EventType.self, id: tea.id)
        try await devices.b.engine.create(makeEvent(id: testId(46), eventTypeId: cocoa.id))
        await devices.b.sync()
        let waiting = isMoved ? event.id : testId(47)
        if isMoved {
            try await a.edit(event.id) { $0.eventTypeId = tea.id }
        } else {
            try await a.engine.create(makeEvent(id: testId(47), eventTypeId: tea.id, notes: "precious"))
        }
        await a.sync()
        #expect(try a.parkReason(of: waiting)?.code == .blocked)
        server.restore(backup, underItsName: true)
        await a.sync()
        #expect(try a.event(waiting)?.eventTypeId == tea.id && a.parkReason(of: waiting)?.code == .blocked)
        let change = try #require(try a.mutation(of: waiting)?.id)
        await #expect(throws: LedgerError.self) { try await a.engine.retryMutation(id: change) }
        let deletion = try #require(try a.mutations([.parked]).first { $0.operation == .delete })
        if isDeletionDropped {
            try await a.engine.dropMutation(id: deletion.id)
        } else {
            try await a.engine.retryMutation(id: deletion.id)
        }
        await a.sync()
        #expect(try a.event(waiting)?.eventTypeId == tea.id && server.event(other.id) != nil)
        let isSent = try server.event(waiting)?.eventTypeId == tea.id
        #expect(try isSent == isDeletionDropped && (a.parkReason(of: waiting)?.code == .blocked) == !isSent)
    }
}
