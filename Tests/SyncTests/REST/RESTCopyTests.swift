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

    private func events(_ count: Int) async throws -> [Event] {
        await network.always(.fail(refusal(404)), for: .exchange)
        var events: [Event] = []
        for _ in 0..<count { events.append(try await a.logCoffee(notes: "first")) }
        await a.sync()
        a.wallClock.advance(bySeconds: 60)
        return events
    }

    private func expectAgreement(_ device: Device, notes: String = "first") async throws {
        let there = try await network.events
        let here = try device.all(Event.self)
        #expect(Set(here.map(\.id)) == Set(there.map(\.id)) && here.allSatisfy { $0.notes == notes })
        #expect(try device.open().isEmpty && device.conflicts.isEmpty)
    }

    @Test("learns that a record is there again, where its deletion is answered as the original's was")
    func deletion() async throws {
        let event = try await events(1)[0]
        try await a.engine.delete(Event.self, id: event.id)
        let b = copy()
        await a.sync()
        a.wallClock.advance(bySeconds: 60)
        try await a.engine.create(event)
        await a.sync()
        a.wallClock.advance(bySeconds: 60)
        for _ in 0..<2 { #expect(await b.sync().failure == nil) }
        #expect(try await network.events.count == 1)
        try await expectAgreement(b)
    }

    @Test("learns the same where the record was made again in the moment of the version that was deleted")
    func sameMoment() async throws {
        let (network, clock) = (MockNetworkClient(clock: a.wallClock), a.wallClock)
        let event = try await network.seed(events: 1)[0]
        let (original, copy) = (RESTPeer(network, clock: clock), RESTPeer(network, clock: clock))
        try await original.catchUp()
        let key = freshId()
        try await original.exchange([original.delete(event.id, key: key)])
        try await network.put(event)
        try await copy.catchUp()
        let response = try await copy.exchange([copy.delete(event.id, key: key)])
        #expect(response.outcomes == [.accepted])
        #expect(copy.ids(.event) == [event.id])
        #expect(try await copy.catchUp().isEmpty)
    }

    @Test("sends an edit again that the original has sent, where a person has changed that back since")
    func edit() async throws {
        let event = try await events(1)[0]
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
