import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A copy of a store sends what the original has sent, with the same keys.
@Suite("A copied store and a deployed server")
struct RESTCopyTests {
    private let a = Device()
    private var network: MockNetworkClient { a.network }

    private func copy() -> Device {
        Device(a.server, wallClock: a.wallClock, seed: 2, stores: a.stores.copy(), network: network)
    }

    private func syncedEvent() async throws -> Event {
        await network.always(.fail(refusal(404)), for: .exchange)
        return try await a.syncedCoffee(notes: "first")
    }

    private func expectAgreement(_ device: Device, notes: String = "first") async throws {
        let there = try await network.events
        let here = try device.all(Event.self)
        #expect(Set(here.map(\.id)) == Set(there.map(\.id)) && here.allSatisfy { $0.notes == notes })
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }

    /// What is made again in the moment of the version that was deleted has the same time, so the deletion has the same key.
    @Test(
        "learns that a record is there again, where the server repeats its answer to the deletion",
        arguments: [false, true])
    func deletion(ofType: Bool) async throws {
        let event = try await syncedEvent()
        if ofType {
            try await a.engine.delete(EventType.self, id: event.eventTypeId)
        } else {
            try await a.engine.delete(Event.self, id: event.id)
        }
        let b = copy()
        await a.sync()
        #expect(try await network.events.isEmpty)
        if ofType { try await network.put(a.coffee) }
        try await network.put(event)
        #expect(await b.sync().failure == nil)
        #expect(await network.callCount(.delete) == 2)
        #expect(try await network.events.count == 1 && b.all(EventType.self).count == 1)
        try await expectAgreement(b)
    }

    @Test("deletes again where the server cannot say whether the record is there")
    func unknown() async throws {
        let event = try await syncedEvent()
        try await a.engine.delete(Event.self, id: event.id)
        let b = copy()
        await a.sync()
        try await network.put(event)
        await network.enqueue(.fail(refusal(422)), for: .get)
        await b.sync()
        #expect(try b.mutations([.parked]).isEmpty)
        #expect(await b.sync().failure == nil)
        try await expectAgreement(b)
    }

    @Test("sends an edit again that the original has sent, where a person has changed that back since")
    func edit() async throws {
        let event = try await syncedEvent()
        a.wallClock.advance(bySeconds: 60)
        try await a.edit(event.id) { $0.notes = "second" }
        let b = copy()
        await a.sync()
        a.wallClock.advance(bySeconds: 60)
        try await a.edit(event.id) { $0.notes = "first" }
        await a.sync()
        a.wallClock.advance(bySeconds: 60)
        for _ in 0..<2 { #expect(await b.sync().failure == nil) }
        #expect(try await network.events.map(\.entity.notes) == ["second"])
        try await expectAgreement(b, notes: "second")
    }
}
